// Load the live part of a page again and again while the page is visible, and replace the old one. Focus, open
// details and scrolled tables stay as they are, and selected text stops the refresh, so that readers keep their place.
// Screen readers hear one sentence, and only when it has changed.
(() => {
  const PAUSE = 10, LONGEST = 120;
  const button = document.querySelector("[data-live-button]");
  const status = document.querySelector("[data-live-status]");
  let pause = PAUSE, timer = 0, running = true;

  const live = (root) => root.querySelector("[data-live]");
  const parts = (root, which) => [...root.querySelectorAll(which)];
  const FOCUSABLE = "a[href], button, summary, [tabindex]";

  const say = (text) => { if (status.textContent !== text) status.textContent = text; };

  const reading = () => {
    const chosen = getSelection();
    return !chosen.isCollapsed && live(document).contains(chosen.focusNode);
  };

  const replace = (now) => {
    const old = live(document);
    const focus = parts(old, FOCUSABLE).indexOf(document.activeElement);
    const open = parts(old, "details").map((one) => one.open);
    const scrolled = parts(old, ".scroll").map((one) => one.scrollLeft);
    old.replaceWith(document.adoptNode(now));
    parts(now, "details").forEach((one, place) => { one.open = open[place] ?? one.open; });
    parts(now, ".scroll").forEach((one, place) => { one.scrollLeft = scrolled[place] ?? 0; });
    if (focus >= 0) parts(now, FOCUSABLE)[focus]?.focus({ preventScroll: true });
  };

  const refresh = async () => {
    if (document.hidden || reading()) return again();
    try {
      const answer = await fetch(location.href, { redirect: "error" });
      const now = live(new DOMParser().parseFromString(await answer.text(), "text/html"));
      if (!answer.ok || !now) throw new Error("no live part");
      if (running && !reading()) {
        replace(now);
        say(now.dataset.live);
      }
      pause = PAUSE;
    } catch {
      pause = Math.min(2 * pause, LONGEST);
      say(status.dataset.failed);
    }
    again();
  };

  const again = () => {
    clearTimeout(timer);
    if (running) timer = setTimeout(refresh, 1000 * pause);
  };

  button.hidden = false;
  button.addEventListener("click", () => {
    running = !running;
    button.textContent = running ? button.dataset.stop : button.dataset.start;
    say(running ? status.dataset.started : status.dataset.stopped);
    clearTimeout(timer);
    if (running) refresh();
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && running) { clearTimeout(timer); refresh(); }
  });
  again();
})();
