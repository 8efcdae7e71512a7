// Shows how many characters of a field are left, if few are, and how many are too many. The server counts in the same
// way: a line end is one character, and so is a character that takes two places in a string of JavaScript.
(() => {
  const PAUSE = 300, FEW = 0.1;
  const sentence = (name) => document.querySelector(`meta[name=characters-${name}]`).content;
  const left = sentence("left"), over = sentence("over");

  const counterOf = (field) => {
    const existing = document.getElementById(`${field.id}-count`);
    if (existing) return existing;
    const counter = document.createElement("p");
    counter.className = "hint";
    counter.id = `${field.id}-count`;
    counter.setAttribute("aria-live", "polite");
    field.after(counter);
    return counter;
  };

  document.querySelectorAll("[data-longest]:is(input, textarea)").forEach((field) => {
    const longest = Number(field.dataset.longest);
    let timer;
    const show = () => {
      const room = longest - [...field.value].length;
      const text = room < 0 ? over : room <= FEW * longest ? left : "";
      const shown = text.replace("{number}", Math.abs(room).toLocaleString(document.documentElement.lang));
      if (!shown && !document.getElementById(`${field.id}-count`)) return;
      const counter = counterOf(field);
      if (counter.textContent !== shown) counter.textContent = shown;
    };
    field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(show, PAUSE); });
    show();
  });
})();
