// What Material leaves without a name: screen readers would announce just "dialog" and "navigation".
document.querySelector(".md-search").setAttribute("aria-label", "Search");

for (const nav of document.querySelectorAll("nav.md-nav[aria-labelledby]")) {
  const title = nav.querySelector(":scope > .md-nav__title");
  nav.removeAttribute("aria-labelledby");
  nav.setAttribute("aria-label", `Pages of ${title.textContent.trim()}`);
}

for (const header of document.querySelectorAll(".md-typeset th:empty")) {
  header.replaceWith(document.createElement("td"));
}

// Material puts wide tables into frames that scroll, once the page is there. The keyboard must reach them too.
window.addEventListener("load", () => {
  for (const frame of document.querySelectorAll(".md-typeset__scrollwrap")) {
    frame.tabIndex = 0;
  }
});
