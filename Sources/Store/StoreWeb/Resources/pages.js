// What pages do beyond what they can do without a script.
"use strict";

// A payment sheet whose window is closed was answered with no. The store waits a moment: a page that is loaded again, or the
// answer to a form, is in a new window of its own.
(() => {
  const view = document.querySelector("main.pay")?.dataset.view;
  if (!view) return;
  addEventListener("pagehide", () => {
    navigator.sendBeacon(location.pathname.replace(/\/(sign-in|sign-up|confirmation|recovery)$/, "") + "/closing", new URLSearchParams({ view }));
  });
})();

// So is a page of the store that an app shows: the app goes on.
(() => {
  const { view, closing } = document.querySelector("main[data-closing]")?.dataset ?? {};
  if (!closing) return;
  addEventListener("pagehide", () => { navigator.sendBeacon(closing, new URLSearchParams({ view })); });
})();

// A sheet that waits for a bank or a parent is loaded again once it says something else.
(() => {
  const seconds = Number(document.body.dataset.watch);
  if (!seconds) return;
  const text = (page) => page.querySelector("main")?.textContent;
  setInterval(async () => {
    const answer = await fetch(location, { redirect: "error" }).catch(() => null);
    if (!answer?.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (text(fresh) !== text(document)) location.reload();
  }, seconds * 1000);
})();

// The console. Its pages are whole without this: the script follows the store, copies texts and leads to the search.
(() => {
  if (!document.body.classList.contains("console")) return;
  document.body.classList.add("scripted");
  // In a narrow window the menu is a line that is longer than the window: it moves to where one is, and the window stays.
  const current = document.querySelector("nav.side [aria-current]");
  const menu = current?.closest("nav.side");
  if (menu) {
    menu.scrollLeft = current.offsetLeft - (menu.clientWidth - current.offsetWidth) / 2;
    menu.scrollTop = current.offsetTop - (menu.clientHeight - current.offsetHeight) / 2;
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button[data-copies]");
    if (!button) return;
    await navigator.clipboard?.writeText(button.dataset.copies);
    button.textContent = "copied";
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  });

  // Keys, where nobody types: / searches, g and a letter goes to a section, j and k move among rows, ? shows all of them. A
  // letter that stands at something on the page leads there, and Enter presses it.
  const isTyping = (target) => target.closest("input:not([type=checkbox], [type=radio]), textarea, select, dialog");
  const rows = () => [...document.querySelectorAll("main :is(tbody tr, .needs li, .found li, .rows li)")]
    .map((row) => row.querySelector("a[href]")).filter((link) => link?.checkVisibility());
  const move = (step) => {
    const links = rows();
    const row = document.activeElement?.closest("tr, li");
    const place = links.findIndex((link) => row?.contains(link));
    const next = links[place < 0 ? (step > 0 ? 0 : links.length - 1) : place + step];
    next?.focus();
    next?.closest("tr, li")?.scrollIntoView({ block: "nearest" });
  };
  const help = async () => {
    const link = document.querySelector("a[data-keys]");
    const page = link && await fetch(link.href, { redirect: "error" }).catch(() => null);
    if (!page?.ok) return;
    const list = new DOMParser().parseFromString(await page.text(), "text/html").querySelector("#keys");
    if (!list) return;
    const dialog = Object.assign(document.createElement("dialog"), { className: "keys" });
    dialog.setAttribute("aria-label", "Keys");
    const close = Object.assign(document.createElement("button"), { textContent: "Close", type: "button" });
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    dialog.append(list, close);
    document.body.append(dialog);
    dialog.showModal();
    // The focus is on the button at its end.
    dialog.scrollTop = 0;
  };
  let goes = 0;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event.target)) return;
    const isGoing = Date.now() < goes;
    goes = 0;
    const key = event.key;
    const place = isGoing ? document.querySelector(`nav.side a[data-go="${CSS.escape(key)}"]`) : null;
    if (place) place.click();
    else if (isGoing) return;
    else if (key === "/") document.querySelector("[data-search]")?.focus();
    else if (key === "g") goes = Date.now() + 2000;
    else if (key === "?") help();
    else {
      // A letter moves to what has it, and Enter takes it; where nothing has them, j and k move along the rows.
      const meant = key.length === 1 && document.querySelector(`main [data-key="${CSS.escape(key)}"]`);
      if (meant) {
        meant.focus();
        meant.scrollIntoView({ block: "nearest" });
      } else if (key === "j" || key === "k") move(key === "j" ? 1 : -1);
      else return;
    }
    event.preventDefault();
  });

  // A row leads where its first link leads; what else can be pressed in it stays what it is.
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || getSelection()?.toString()) return;
    if (event.target.closest("a, button, input, select, textarea, label, summary")) return;
    const link = event.target.closest("main tbody tr")?.querySelector("td:first-child a[href], th a[href]");
    if (!link) return;
    if (event.ctrlKey || event.metaKey) open(link.href);
    else link.click();
  });

  // The button of a refund says the amount that is typed, to the last digit.
  document.addEventListener("input", (event) => {
    const place = event.target.form?.querySelector("[data-currency]");
    if (!place || event.target.name !== "amount") return;
    const amount = event.target.value.trim();
    const form = { style: "currency", currency: place.dataset.currency, maximumFractionDigits: 10 };
    place.textContent = /^\d+(\.\d+)?$/.test(amount) ? new Intl.NumberFormat("en-US", form).format(amount) : "this amount";
  });

  // What the server has counted of a text goes on being counted, as the store does: by code points.
  document.addEventListener("input", (event) => {
    const limit = Number(event.target.dataset?.counts);
    if (!limit) return;
    const count = [...event.target.value].length;
    const field = event.target.closest(".f");
    const place = field?.querySelector(".count-of");
    if (place) place.textContent = `${count} of ${limit}`;
    const meter = field?.querySelector("meter");
    if (meter) meter.value = Math.min(count, limit);
    field?.classList.toggle("wrong", count > limit);
  });

  // A form with a file shows how much of it has arrived, and then what the store has answered.
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-upload]");
    if (!form) return;
    event.preventDefault();
    const progress = Object.assign(document.createElement("progress"), { max: 1, value: 0 });
    progress.setAttribute("aria-label", "Sent so far");
    const request = new XMLHttpRequest();
    const data = new FormData(form);
    form.querySelectorAll("button, input").forEach((one) => { one.disabled = true; });
    form.append(progress);
    request.upload.onprogress = (sent) => { if (sent.lengthComputable) progress.value = sent.loaded / sent.total; };
    const end = () => {
      progress.remove();
      form.querySelectorAll("button, input").forEach((one) => { one.disabled = false; });
    };
    request.onerror = end;
    request.onload = () => {
      const fresh = new DOMParser().parseFromString(request.responseText, "text/html").querySelector("main");
      if (!fresh) return end();
      document.querySelector("main").replaceChildren(...fresh.childNodes);
      // After a redirection this is the page of the thing; the address of the form alone is none.
      if (new URL(request.responseURL).pathname !== new URL(form.action).pathname) {
        history.replaceState(null, "", request.responseURL);
      }
    };
    request.open("POST", form.action);
    request.send(data);
  });

  // A page that shows what happens asks for the next state, which the store answers once it is another, and then takes its
  // own content anew; not while somebody fills in a form on it.
  const main = document.querySelector("main[data-pulse]");
  if (!main) return;
  const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const isBusy = () => main.contains(document.activeElement) && document.activeElement.closest("form");
  const follow = async () => {
    for (;;) {
      try {
        const path = new URL(main.dataset.pulsePath, location);
        path.searchParams.set("after", main.dataset.pulse);
        const answer = await fetch(path, { redirect: "error" });
        if (!answer.ok) return;
        const pulse = await answer.text();
        if (pulse === main.dataset.pulse || isBusy()) { await pause(1); continue; }
        const page = await fetch(location, { redirect: "error" });
        if (!page.ok) return;
        const fresh = new DOMParser().parseFromString(await page.text(), "text/html");
        const next = fresh.querySelector("main[data-pulse]");
        document.querySelector("nav.side").replaceChildren(...fresh.querySelector("nav.side").childNodes);
        const open = [...main.querySelectorAll("details")].map((one) => one.open);
        main.replaceChildren(...(next ?? fresh.querySelector("main")).childNodes);
        [...main.querySelectorAll("details")].forEach((one, index) => { one.open = open[index] ?? one.open; });
        if (!next) return;
        main.dataset.pulse = next.dataset.pulse;
      } catch {
        await pause(3);
      }
    }
  };
  follow();
})();

// The storefront. Its pages are whole without this: the script plays samples in their place, refreshes suggestions and leads
// to the search.
(() => {
  if (!document.body.classList.contains("store")) return;
  document.body.classList.add("scripted");
  document.querySelector(".kinds [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

  // One sample plays at a time. A sample that is seen gets its picture below the button.
  let playing = null;
  const time = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
  const stop = () => {
    if (!playing) return;
    const { link, row, media, label, progress, words } = playing;
    playing = null;
    media.pause();
    media.remove();
    progress.remove();
    words.remove();
    row.classList.remove("playing");
    link.setAttribute("aria-label", label);
  };
  const play = (link) => {
    const row = link.closest("tr, .sampled");
    const place = row.querySelector(".name");
    const media = Object.assign(document.createElement(link.dataset.plays), { src: link.href });
    const progress = Object.assign(document.createElement("progress"), { max: 1, value: 0 });
    const words = document.createElement("small");
    playing = { link, row, media, label: link.getAttribute("aria-label"), progress, words };
    row.classList.add("playing");
    link.setAttribute("aria-label", link.dataset.pause);
    progress.setAttribute("aria-label", playing.label);
    if (link.dataset.plays === "video") {
      media.playsInline = true;
      media.controls = true;
      place.append(media);
    }
    place.append(progress, words);
    media.addEventListener("timeupdate", () => {
      if (!Number.isFinite(media.duration)) return;
      progress.value = media.currentTime / media.duration;
      words.textContent = link.dataset.progress.replace("{time}", time(media.currentTime)).replace("{length}", time(media.duration));
    });
    media.addEventListener("ended", stop);
    // A browser that cannot play it shows the file as it would without a script.
    media.addEventListener("error", () => { stop(); location.assign(link.href); });
    media.play().catch(() => {});
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a.play[data-plays]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const isSame = playing?.link === link;
    stop();
    if (!isSame) play(link);
  });

  // Suggestions: asked for a moment after the last letter; arrows move through them, Escape goes back to the field.
  const field = document.querySelector("input[data-suggestions]");
  if (!field) return;
  const form = field.form;
  let waiting = 0;
  let asked = field.value.trim();
  const refresh = async () => {
    const term = field.value.trim();
    if (term === asked) return;
    asked = term;
    const path = new URL(field.dataset.suggestions, location);
    path.searchParams.set("term", term);
    const answer = term ? await fetch(path, { redirect: "error" }).catch(() => null) : null;
    if (term !== field.value.trim()) return;
    form.querySelector(".suggest")?.remove();
    if (!answer?.ok) return;
    const list = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".suggest li")?.parentNode;
    if (list && term === field.value.trim()) form.append(list);
  };
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(refresh, 150);
  });
  form.addEventListener("keydown", (event) => {
    const links = [...form.querySelectorAll(".suggest a")];
    const place = links.indexOf(document.activeElement);
    if (event.key === "Escape" && place >= 0) return field.focus();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !links.length) return;
    event.preventDefault();
    (links[place + step] ?? (step < 0 ? field : links[place]))?.focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.closest("input, textarea, select")) return;
    event.preventDefault();
    field.focus();
  });
})();
