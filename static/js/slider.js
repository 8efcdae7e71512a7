// Adds a slider to the field for a number from 0 to 100. The slider has no name, so only the text box is sent. Until
// the worker gives a number, the slider shows none: a thumb that stands somewhere would suggest an answer.
(() => {
  const box = document.querySelector("input[name=magnitude]");
  const place = document.querySelector("[data-slider]");
  if (!box || !place) return;
  const MIDDLE = 50, TICKS = [0, 25, 50, 75, 100];
  const THUMB = 1.75, STILL = 10; // The width of the thumb in rem, as in site.css, and the pixels that a tap can move.
  const STEPS = /^(Arrow(Left|Right|Up|Down)|Page(Up|Down))$/;

  const slider = document.createElement("input");
  Object.assign(slider, { type: "range", min: 0, max: 100, step: 1, value: MIDDLE, id: "slider", autocomplete: "off" });
  slider.setAttribute("aria-labelledby", "magnitude-label");
  slider.setAttribute("aria-describedby", "magnitude-hint");
  const ticks = document.createElement("div");
  ticks.className = "ticks";
  ticks.setAttribute("aria-hidden", "true");
  ticks.append(...TICKS.map((tick) => Object.assign(document.createElement("span"), { textContent: tick })));
  place.append(slider, ticks, document.getElementById("magnitude-hint")); // The hint names the ends.

  const isSet = () => !slider.classList.contains("unset");
  const show = (number) => {
    slider.classList.toggle("unset", number === null);
    slider.value = number ?? MIDDLE;
    slider.setAttribute("aria-valuetext", number === null ? place.dataset.unset : box.value.trim());
  };
  const take = (number) => {
    box.value = number;
    box.dispatchEvent(new Event("input", { bubbles: true }));
  };

  // static/js/magnitude.js reads the box, and says which number is in it, or NaN.
  box.addEventListener("numberread", ({ detail }) => show(detail >= 0 && detail <= 100 ? detail : null));
  let moved = false, start = 0, before = "";
  slider.addEventListener("input", (event) => {
    event.stopPropagation();
    moved = true;
    take(slider.value);
  });
  // Without a number, there is no place from which a key could step. The first step goes to the middle.
  slider.addEventListener("keydown", (event) => {
    if (isSet() || !STEPS.test(event.key)) return;
    event.preventDefault();
    take(MIDDLE);
  });
  // A tap chooses a place also where the hidden thumb stands, and where browsers only let people drag the thumb. If the
  // finger scrolls the page, the browser cancels the pointer, and the answer is again what it was before.
  slider.addEventListener("pointerdown", ({ clientX }) => { [moved, start, before] = [false, clientX, box.value]; });
  slider.addEventListener("pointercancel", () => { if (moved) take(before); });
  slider.addEventListener("pointerup", ({ clientX }) => {
    if (moved || Math.abs(clientX - start) > STILL) return;
    const { left, width } = slider.getBoundingClientRect();
    const thumb = parseFloat(getComputedStyle(document.documentElement).fontSize) * THUMB;
    const share = Math.min(1, Math.max(0, (clientX - left - thumb / 2) / (width - thumb)));
    take(Math.round(100 * (getComputedStyle(slider).direction === "rtl" ? 1 - share : share)));
  });
  show(null);
})();
