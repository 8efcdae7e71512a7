// A unit has ended for good: its drafts in this browser are not needed any more.
(() => {
  const prefix = `plumbline.${document.querySelector("main").dataset.drafts}.`;
  try {
    Object.keys(localStorage).filter((key) => key.startsWith(prefix)).forEach((key) => localStorage.removeItem(key));
  } catch { /* storage may be turned off: then there are no drafts either */ }
})();
