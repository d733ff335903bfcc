// What pages do beyond what they can do without a script.
"use strict";

// A payment sheet whose window is closed was answered with no. The store waits a moment: a page that is loaded again, or the
// answer to a form, is in a new window of its own.
(() => {
  const view = document.querySelector("main.pay")?.dataset.view;
  if (!view) return;
  addEventListener("pagehide", () => {
    navigator.sendBeacon(location.pathname.replace(/\/(sign-in|confirmation)$/, "") + "/closing", new URLSearchParams({ view }));
  });
})();
