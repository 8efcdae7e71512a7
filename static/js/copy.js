// Shows the buttons that copy a completion code. Without a clipboard, the code is selected instead.
(() => {
  document.querySelectorAll("button[data-copied]").forEach((button) => {
    const code = button.previousElementSibling;
    const label = button.textContent;
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.textContent.trim());
        button.textContent = button.dataset.copied;
        setTimeout(() => { button.textContent = label; }, 3000);
      } catch {
        getSelection().selectAllChildren(code);
      }
    });
  });
})();
