// Reloads the live part of a page at intervals while the page is visible. So that readers do not lose their place,
// focus, open details and scrolled tables stay as they are, and selected text stops the refresh. Screen readers read
// out a single sentence, and only when it has changed.
(() => {
  const PAUSE = 10, LONGEST = 120;
  const button = document.querySelector("[data-live-button]");
  const status = document.querySelector("[data-live-status]");
  let pause = PAUSE, timer = 0, running = true;

  const live = (root) => root.querySelector("[data-live]");
  const parts = (root, selector) => [...root.querySelectorAll(selector)];
  const FOCUSABLE = "a[href], button, summary, [tabindex]";

  const announce = (text) => { if (status.textContent !== text) status.textContent = text; };

  const reading = () => {
    const selection = getSelection();
    return !selection.isCollapsed && live(document).contains(selection.focusNode);
  };

  const replace = (current) => {
    const old = live(document);
    const focus = parts(old, FOCUSABLE).indexOf(document.activeElement);
    const open = parts(old, "details").map((details) => details.open);
    const scrolled = parts(old, ".scroll").map((table) => table.scrollLeft);
    old.replaceWith(document.adoptNode(current));
    parts(current, "details").forEach((details, place) => { details.open = open[place] ?? details.open; });
    parts(current, ".scroll").forEach((table, place) => { table.scrollLeft = scrolled[place] ?? 0; });
    document.dispatchEvent(new Event("live"));
    if (focus >= 0) parts(current, FOCUSABLE)[focus]?.focus({ preventScroll: true });
  };

  const refresh = async () => {
    if (document.hidden || reading()) return schedule();
    try {
      const response = await fetch(location.href, { redirect: "error" });
      const page = new DOMParser().parseFromString(await response.text(), "text/html"), current = live(page);
      if (!response.ok || !current) throw new Error("no live part");
      if (running && !reading()) {
        replace(current);
        const [bar, later] = [document, page].map((root) => root.querySelector("[data-live-bar]"));
        if (bar && later) bar.replaceWith(document.adoptNode(later));
        announce(current.dataset.live);
      }
      pause = PAUSE;
    } catch {
      pause = Math.min(2 * pause, LONGEST);
      announce(status.dataset.failed);
    }
    schedule();
  };

  const schedule = () => {
    clearTimeout(timer);
    if (running) timer = setTimeout(refresh, 1000 * pause);
  };

  button.hidden = false;
  button.addEventListener("click", () => {
    running = !running;
    button.textContent = running ? button.dataset.stop : button.dataset.start;
    announce(running ? status.dataset.started : status.dataset.stopped);
    clearTimeout(timer);
    if (running) refresh();
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && running) { clearTimeout(timer); refresh(); }
  });
  schedule();
})();
