// Copies the passage that is selected in a document into the field for it. Without scripts, workers paste it there. The
// last selection counts, because a tap on the button ends the selection on some phones.
(() => {
  const field = document.getElementById("highlight");
  const mark = document.querySelector("[data-mark-passage]");
  if (!field || !mark) return;
  const status = mark.querySelector("[role=status]");
  let passage = "";

  const elementOf = (node) => (node?.nodeType === Node.TEXT_NODE ? node.parentElement : node);
  const documentOf = (node) => elementOf(node)?.closest("[data-document]");
  document.addEventListener("selectionchange", () => {
    const selection = getSelection();
    const range = selection.rangeCount && selection.getRangeAt(0);
    if (!range || !documentOf(range.commonAncestorContainer)) return;
    const text = selection.toString().trim();
    if (text) passage = text;
  });

  mark.querySelector("button").addEventListener("click", () => {
    if (passage) {
      field.value = passage;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    status.textContent = passage ? status.dataset.marked : status.dataset.nothing;
  });
  mark.hidden = false;
})();
