// A unit has ended: its drafts in this browser are not needed any more.
(() => {
  try {
    Object.keys(localStorage).filter((key) => key.startsWith("plumbline.")).forEach((key) => localStorage.removeItem(key));
  } catch { /* storage may be turned off: then there are no drafts either */ }
})();
