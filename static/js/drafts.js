// Deletes the drafts of a unit that has ended from this browser.
(() => {
  const prefix = `plumbline.${document.querySelector("main").dataset.drafts}.`;
  try {
    Object.keys(localStorage).filter((key) => key.startsWith(prefix)).forEach((key) => localStorage.removeItem(key));
  } catch { /* If storage is turned off, there are no drafts. */ }
})();
