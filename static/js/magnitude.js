// Shows next to the field how Plumbline reads the number in it. Only the server decides whether a number is valid.
(() => {
  const box = document.querySelector("input[name=magnitude]");
  const output = document.querySelector("[data-parsed]");
  if (!box || !output) return;

  const read = (text) => {
    const plain = text.trim().replace(/\s+/g, " ");
    const fraction = plain.match(/^(?:(\d+) )?(\d+) ?\/ ?(\d+)$/);
    if (fraction && box.inputMode === "decimal") return NaN;
    if (fraction) return Number(fraction[1] || 0) + Number(fraction[2]) / Number(fraction[3]);
    if (/^\+?\d*,\d{3}(e|$)/i.test(plain)) return NaN;
    if (/^\+?[1-9]\d{0,2}\.\d{3}$/.test(plain)) return NaN;
    if (!/^\+?(\d+[.,]?\d*|[.,]\d+)(e[+-]?\d+)?$/i.test(plain)) return NaN;
    return Number(plain.replace(",", "."));
  };
  const show = () => {
    const value = read(box.value);
    const isPlain = String(value) === box.value.trim();
    const isValid = value >= 1e-100 && value <= 1e100;
    if (isValid) {
      box.removeAttribute("aria-invalid");
      document.getElementById("magnitude-fault")?.remove();
    }
    output.value = isValid && !isPlain ? `= ${Number(value.toPrecision(6))}` : "";
  };
  box.addEventListener("input", show);
  if (!document.getElementById("magnitude-fault")) show();
})();
