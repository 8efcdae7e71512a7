// Shows next to the field how Plumbline reads the number in it, and tells other scripts by the event `numberread`. Only
// the server decides whether a number is valid.
// The rules are those of judging/protocol/numerals.py; tests compare both on many inputs.
(() => {
  const box = document.querySelector("input[name=magnitude]");
  const fraction = document.querySelector("input[name=fraction]");
  const output = document.querySelector("[data-parsed]");
  if (!box || !output) return;
  const { mark, longest, fractions } = output.dataset;
  const smallest = Number(output.dataset.smallest), largest = Number(output.dataset.largest);
  const isValid = (value) => value >= smallest && value <= largest;

  const INVISIBLE = /[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202c\u2060\u2066-\u206f\ufe00-\ufe0f\ufeff]/g;
  const SAME = new Map(Object.entries({
    "/": "⁄∕／", "-": "‐‑‒–−﹣－", "+": "＋﹢", ".": "．﹒", ",": "，﹐،", "e": "ｅＥE", " ": "\t\n\v\f\r\u2028\u2029",
  }).flatMap(([same, forms]) => [...forms].map((form) => [form, same])));

  // Digits come in runs of ten, from 0 to 9, and runs can follow each other.
  const digit = (character) => {
    const code = character.codePointAt(0);
    let first = code;
    while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
    return (code - first) % 10;
  };
  const plainCharacter = (character) => {
    if (/\p{Nd}/u.test(character)) return digit(character);
    if (/\p{Zs}/u.test(character)) return " ";
    const expanded = character.normalize("NFKC");
    if (/^[0-9]+⁄[0-9]*$/.test(expanded)) return ` ${expanded.replace("⁄", "/")} `;
    return SAME.get(character) ?? character;
  };
  const plain = (text) =>
    [...text.replace(INVISIBLE, "")].map(plainCharacter).join("").replace(/ +/g, " ").replace(/^ | $/g, "");

  const isAmbiguous = (typed) => {
    if (!/^[0-9.,٫٬]+(e[+-]?[0-9]+)?$/.test(typed)) return false;
    const [digits] = typed.split("e"), marks = new Set(typed.replace(/[0-9e+-]/g, ""));
    return digits.split(",").length > 2 || marks.size > 1 || marks.has("٬")
      || /^[1-9][0-9]{0,2}\.[0-9]{3}$/.test(typed) || /^[0-9]*,[0-9]{3}$/.test(digits);
  };
  const read = (text) => {
    if ([...text].length > longest) return NaN;
    const typed = plain(text).replace(/^\+ ?/, "");
    const parts = typed.match(/^(?:([0-9]+) )?([0-9]+) ?\/ ?([0-9]+)$/);
    if (parts) {
      const [whole, top, bottom] = parts.slice(1).map((part) => BigInt(part || 0));
      if (fractions === undefined || (parts[1] && /^0[0-9]{2}$/.test(parts[2]))) return NaN;
      return Number(whole * bottom + top) / Number(bottom);
    }
    if (isAmbiguous(typed) || !/^([0-9]+[.,٫]?[0-9]*|[.,٫][0-9]+)(e[+-]?[0-9]+)?$/.test(typed)) return NaN;
    return Number(typed.replace(/[,٫]/, "."));
  };
  const written = (value) => {
    const digits = value.toExponential().replace(/\.|e.*/g, "");
    return String(digits.length > 15 ? Number(value.toPrecision(6)) : value).replace(".", mark);
  };
  const echo = (text) => {
    const value = read(text), visible = text.replace(INVISIBLE, "").trim();
    if (!isValid(value) || /^[0-9]+(\.[0-9]+)?$/.test(visible)) return "";
    return written(value) === visible ? "" : `= ${written(value)}`;
  };

  const show = () => {
    const added = fraction?.value.trim();
    const text = added ? `${box.value} ${added}`.trimStart() : box.value;
    const value = read(text);
    if (isValid(value)) {
      box.removeAttribute("aria-invalid");
      document.getElementById("magnitude-fault")?.remove();
    }
    output.value = echo(text);
    box.dispatchEvent(new CustomEvent("numberread", { detail: value }));
  };
  box.addEventListener("input", show);
  fraction?.addEventListener("input", show);
  const details = fraction?.closest("details");
  details?.addEventListener("toggle", () => { if (details.open) fraction.focus(); });
  if (!document.getElementById("magnitude-fault")) show();
})();
