// Reloads the part of the page about a job every second until the job has ended, and what follows from it.
(() => {
  const PAUSE = 1000;
  const watch = async () => {
    try {
      const response = await fetch(location.href, { redirect: "error" });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const current = page.querySelector("[data-job]");
      if (response.ok && current) {
        document.querySelector("[data-job]").replaceWith(document.adoptNode(current));
        for (const part of page.querySelectorAll("[data-with-job]")) {
          document.getElementById(part.id)?.replaceWith(document.adoptNode(part));
        }
        document.title = page.title;
        if (current.dataset.job === "over") return;
      }
    } catch { /* The server did not respond. Try again after the pause. */ }
    setTimeout(watch, PAUSE);
  };
  setTimeout(watch, PAUSE);
})();
