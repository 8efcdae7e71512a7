// Stores drafts and the reading place in this browser, counts the seconds that the page is visible and the time left
// for the set, and folds the topic on narrow screens, where it is above the document.

// Counts the changes of the reason and the characters that are pasted into it, if the study keeps this evidence. Keys
// are not watched, and no text is kept. See judging/protocol/evidence.py.
const watchPasting = (evidence, reason, before) => {
  if (!evidence) return;
  let [changes, pasted, emptied] = (before || "0 0 0").split(" ").map(Number);
  let kept = 0;
  reason.addEventListener("beforeinput", () => {
    kept = reason.value.length - (reason.selectionEnd - reason.selectionStart);
  });
  reason.addEventListener("input", (event) => {
    if (!event.inputType) return;
    changes += 1;
    if (/^insertFrom(Paste|Drop|Yank)/.test(event.inputType)) pasted += Math.max(0, reason.value.length - kept);
    if (!reason.value) [pasted, emptied] = [0, 1];
    evidence.value = [changes, pasted, emptied].join(" ");
  });
  evidence.value = before || "";
};

(() => {
  const form = document.querySelector("form[data-draft]");
  if (!form) return;
  const { magnitude, fraction, justification } = form.elements;
  // The answer is a box, or a list of radio buttons, which has a value too, but no events.
  const names = ["magnitude", "fraction", "justification"].filter((name) => form.elements[name]);
  const key = `plumbline.${form.dataset.draft}`;

  const load = () => { try { return JSON.parse(localStorage.getItem(key)) || {}; } catch { return {}; } };
  const store = () => {
    const typed = Object.fromEntries(names.map((name) => [name, form.elements[name].value]));
    if (form.elements.evidence) typed.evidence = form.elements.evidence.value;
    try { localStorage.setItem(key, JSON.stringify({ ...typed, scrolled: Math.round(scrollY) })); }
    catch { /* Storage is full or turned off. The server stores the answers anyway. */ }
  };
  const draft = load();
  watchPasting(form.elements.evidence, justification, draft.evidence);
  const isStored = Boolean(magnitude.value); // Then it contains the fraction too.
  names.forEach((name) => {
    const field = form.elements[name];
    if (!field.value && draft[name] && !(field === fraction && isStored)) {
      if (field === fraction) field.closest("details").open = true;
      field.value = draft[name];
      field.dispatchEvent?.(new Event("input"));
    }
  });
  form.addEventListener("input", store);

  let visible = 0;
  let since = document.visibilityState === "visible" ? performance.now() : null;
  const count = () => {
    if (since !== null) visible += performance.now() - since;
    since = document.visibilityState === "visible" ? performance.now() : null;
  };
  document.addEventListener("visibilitychange", count);
  form.addEventListener("submit", () => {
    count();
    form.elements.visible_seconds.value = Math.round(visible / 1000);
    visible = 0;
  });

  const left = document.querySelector("[data-seconds-left]");
  if (left) {
    const ends = performance.now() + 1000 * left.dataset.secondsLeft;
    setInterval(() => {
      const seconds = Math.max(0, (ends - performance.now()) / 1000);
      left.querySelector("[data-minutes]").textContent = Math.ceil(seconds / 60);
      if (seconds <= left.dataset.warnsSeconds && !left.classList.contains("notice")) {
        left.classList.add("notice");
        left.setAttribute("role", "status");
      }
    }, 15000);
  }

  const topic = document.querySelector("[data-topic]");
  if (topic) {
    if (matchMedia("(max-width: 63.99rem)").matches) topic.open = false;
    topic.dataset.folded = "";
  }

  addEventListener("pagehide", store);
  const hasMessage = document.querySelector("#problems, [role=alert]");
  if (draft.scrolled && !hasMessage && !location.hash) scrollTo(0, draft.scrolled);
})();
