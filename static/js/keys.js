// Follows the links of a page by key: `a[data-key]` names the key. Nothing happens while somebody types or holds a
// modifier key. The hint has a switch that turns the keys off, for people whose software types letters for them.
(() => {
  const STORED = "plumbline-keys";
  const hint = document.querySelector("[data-keys]");
  const control = hint?.querySelector("input[type=checkbox]");
  const isTyping = (target) => target.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable]");

  const areOn = () => {
    try { return localStorage.getItem(STORED) !== "off"; } catch { return control?.checked ?? true; }
  };

  if (control) {
    control.checked = areOn();
    control.addEventListener("change", () => {
      try { localStorage.setItem(STORED, control.checked ? "on" : "off"); } catch { /* only this page knows */ }
    });
  }
  if (hint) hint.hidden = false;

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
    if (!areOn()) return;
    const link = [...document.querySelectorAll("a[data-key]")].find((each) => each.dataset.key === event.key);
    if (!link) return;
    event.preventDefault();
    link.click();
  });
})();
