// Updates the previews on the set-up pages after typing: a text or a topic as workers see it, the estimate, and advice
// on a question. Nothing is saved. Before the page is left, it warns of what was typed or chosen but not saved.
(() => {
  const PAUSE = 400;
  const update = async (address, form, element) => {
    try {
      const response = await fetch(address, { method: "POST", body: form, redirect: "error" });
      if (response.ok) element.innerHTML = await response.text();
    } catch { /* The next input tries again. */ }
  };
  const afterTyping = (element, act) => {
    let timer;
    element.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(act, PAUSE); });
  };
  const token = document.querySelector("input[name=csrfmiddlewaretoken]");

  document.querySelectorAll(".field [data-previewed]").forEach((preview) => {
    const text = preview.closest(".field").querySelector("textarea");
    afterTyping(text, () => {
      const form = new FormData();
      form.append("csrfmiddlewaretoken", token.value);
      form.append("text", text.value);
      update(preview.dataset.previewed, form, preview);
    });
  });

  const box = document.querySelector("[data-estimate]");
  document.querySelectorAll("form[data-estimated]").forEach((form) =>
    afterTyping(form, () => update(box.dataset.estimate, new FormData(form), box)));

  document.querySelectorAll("form[data-advised]").forEach((form) => {
    const advice = form.querySelector("[data-advice]"), seen = document.querySelector("[data-seen]");
    afterTyping(form, () => {
      update(form.dataset.advised, new FormData(form), advice);
      update(seen.dataset.seen, new FormData(form), seen);
    });
  });

  // A browser that goes back restores what was typed, but folds the groups as the server did.
  const isTyped = (field) => field.options
    ? [...field.options].some((option) => option.selected !== option.defaultSelected)
    : field.value !== field.defaultValue;
  addEventListener("pageshow", () => document.querySelectorAll("details.group:not([open])").forEach((group) => {
    group.open = [...group.querySelectorAll("input, select, textarea")].some(isTyped);
  }));

  const unsaved = new Set(document.querySelectorAll("form[data-unsaved]"));
  document.addEventListener("input", ({ target }) => {
    if (target.type !== "checkbox" && target.form?.matches(".setup-main form[method=post]:not(.ways > form)")) {
      unsaved.add(target.form);
    }
  });
  document.addEventListener("submit", ({ target }) => unsaved.delete(target));
  addEventListener("beforeunload", (event) => { if (unsaved.size) event.preventDefault(); });
})();
