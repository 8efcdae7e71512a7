// While a job is waiting or worked at, its page is asked for again and again, and what it says now is shown.
(() => {
  const PAUSE = 1000;
  const watch = async () => {
    try {
      const answer = await fetch(location.href, { redirect: "error" });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const now = page.querySelector("[data-job]");
      if (answer.ok && now) {
        document.querySelector("[data-job]").replaceWith(document.adoptNode(now));
        document.title = page.title;
        if (now.dataset.job === "over") return;
      }
    } catch { /* no answer this time: ask again */ }
    setTimeout(watch, PAUSE);
  };
  setTimeout(watch, PAUSE);
})();
