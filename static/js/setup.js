// Comforts of a set-up: what is typed is shown at once as workers see it, and what it costs. Nothing is saved by this.
(() => {
  const PAUSE = 400;
  const ask = async (address, form, shown) => {
    try {
      const answer = await fetch(address, { method: "POST", body: form, redirect: "error" });
      if (answer.ok) shown.innerHTML = await answer.text();
    } catch { /* no answer this time: the next change asks again */ }
  };
  const after = (element, act) => {
    let timer;
    element.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(act, PAUSE); });
  };
  const token = document.querySelector("input[name=csrfmiddlewaretoken]");

  document.querySelectorAll("textarea[data-preview]").forEach((text) => {
    const shown = text.parentElement.querySelector("[data-previewed]");
    after(text, () => {
      const form = new FormData();
      form.append("csrfmiddlewaretoken", token.value);
      form.append("text", text.value);
      ask(text.dataset.preview, form, shown);
    });
  });

  const box = document.querySelector("[data-estimate]");
  document.querySelectorAll("form[data-estimated]").forEach((form) =>
    after(form, () => ask(box.dataset.estimate, new FormData(form), box)));

  document.querySelectorAll("form[data-advised]").forEach((form) =>
    after(form, () => ask(form.dataset.advised, new FormData(form), form.querySelector("[data-advice]"))));
})();
