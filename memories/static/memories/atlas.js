/* What the console does beyond plain pages: shortcuts, focus after a swap, retry after a lost connection, typed text kept
   when a session ends. Every link and form works without it. */
"use strict";

(() => {
  const said = () => document.getElementById("said");
  const words = document.body.dataset;

  /* The reader's zone, for times; a preference set by hand goes before it. */
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone) document.cookie = `zone=${zone}; path=/; max-age=31536000; samesite=lax`;

  /* Shortcuts: an element says its own key in aria-keyshortcuts. Never while typing, never with a modifier. */
  const typing = (target) => target.closest?.("input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]");

  const reachable = (element) => {
    const panel = document.querySelector(".panel:popover-open");
    return (panel ? panel.contains(element) : !element.closest(".panel")) && !element.disabled;
  };

  /* From inside an edit form, its first button that says so. */
  document.addEventListener("keydown", (event) => {
    if (words.shortcuts === "off" || event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
    event.target.closest("form")?.querySelector('[aria-keyshortcuts~="Control+Enter"]')?.click();
  });

  document.addEventListener("keydown", (event) => {
    if (words.shortcuts === "off" || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.key === "Escape" && typing(event.target)) return event.target.blur();
    if (typing(event.target) || !/^[a-z0-9?/]$/.test(event.key)) return;
    const holders = document.querySelectorAll(`[aria-keyshortcuts="${event.key}"]`);
    const holder = [...holders].find(reachable);
    if (!holder) return;
    event.preventDefault();
    holder.closest("details")?.setAttribute("open", "");
    if (holder.matches("input:not([type=checkbox]), textarea")) holder.focus();
    else holder.click();
  });

  /* Messages, in the page's status region. */
  const say = (text, retry) => {
    const line = document.createElement("div");
    line.className = "error";
    const sentence = document.createElement("p");
    sentence.textContent = text;
    line.append(sentence);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button small";
    button.textContent = retry ? words.retry : words.dismiss;
    button.addEventListener("click", () => {
      line.remove();
      if (retry) retry();
    });
    line.append(button);
    said().replaceChildren(line);
  };

  const again = (event) => {
    const { elt, requestConfig } = event.detail;
    const { verb, path, parameters, target } = requestConfig;
    return () => window.htmx.ajax(verb, path, { source: document.contains(elt) ? elt : document.body, target, values: parameters });
  };
  document.addEventListener("htmx:sendError", (event) => say(words.lost, again(event)));
  document.addEventListener("htmx:timeout", (event) => say(words.lost, again(event)));
  document.addEventListener("htmx:responseError", (event) => {
    const status = event.detail.xhr.status;
    if (status >= 500) say(words.failed, again(event));
    else say(status === 403 ? words.forbidden : words.gone);
  });

  /* The queue shows where the desk is; the page itself stays where it is. */
  const reveal = () => {
    const row = document.querySelector(".queue-list li:has([aria-current])");
    if (!row) return;
    const list = row.parentElement;
    const [above, below] = [row.offsetTop - list.offsetTop, row.offsetTop - list.offsetTop + row.offsetHeight];
    if (above < list.scrollTop || below > list.scrollTop + list.clientHeight) list.scrollTop = above - row.offsetHeight;
  };

  /* A panel whose form could not be taken opens again with what was typed into it. */
  const reopen = (root) => root.querySelector?.("[data-open]")?.showPopover();

  const inSight = (place) => {
    const { top, bottom } = place.getBoundingClientRect();
    return top >= (document.querySelector(".topbar")?.offsetHeight ?? 0) && bottom <= window.innerHeight;
  };

  /* After a swap the keyboard goes on where the work goes on. */
  document.addEventListener("htmx:afterSettle", (event) => {
    const swapped = event.target;
    const place = swapped.querySelector?.("[data-focus]");
    if (place) place.focus({ preventScroll: inSight(place) });
    restore(swapped);
    reveal();
    reopen(swapped);
  });

  /* Text typed into a [data-keep] field outlives an ended session or a lost connection, in this tab only. */
  const keep = (field) => `kept:${field.dataset.keep}`;
  const kept = (form) => [...(form.querySelectorAll?.("[data-keep]") ?? [])].map(keep);
  const release = (form) => kept(form).forEach((key) => sessionStorage.removeItem(key));
  /* A form that the server shows again holds what may be kept of the text: what is kept here may hold a secret too. */
  const restore = (root) => {
    root.querySelectorAll?.("[data-answered]").forEach(release);
    for (const field of root.querySelectorAll?.("[data-keep]") ?? []) {
      const text = sessionStorage.getItem(keep(field));
      if (text !== null && text !== field.value) field.value = text;
    }
  };
  document.addEventListener("input", (event) => {
    if (event.target.matches("[data-keep]")) sessionStorage.setItem(keep(event.target), event.target.value);
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    const { xhr, requestConfig } = event.detail;
    if (xhr.status && xhr.status < 500 && !xhr.getResponseHeader("HX-Redirect")) release(requestConfig.elt);
  });
  document.addEventListener("click", (event) => {
    const form = event.target.closest("[data-release]") && event.target.closest("form");
    if (form) release(form);
  });

  /* A plain form leads to another page: once it is there, and it is not the sign-in page, the text has arrived. */
  const arrived = () => {
    const sent = JSON.parse(sessionStorage.getItem("sent") ?? "[]");
    if (document.querySelector("input[type=password]")) return;
    const asked = kept(document);
    sent.filter((key) => !asked.includes(key)).forEach((key) => sessionStorage.removeItem(key));
    sessionStorage.removeItem("sent");
  };

  /* A plain form is sent once, however often its button is pressed. */
  document.addEventListener("submit", (event) => {
    if (event.target.matches("[hx-post], [hx-get], [method=dialog]")) return;
    if (event.target.dataset.sent) event.preventDefault();
    event.target.dataset.sent = "yes";
    sessionStorage.setItem("sent", JSON.stringify(kept(event.target)));
  });
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
    recount();
  });

  /* Tick all boxes that a heading's box stands for; count what is ticked, and offer only what can be done with it. */
  const boxes = (name) => [...document.querySelectorAll(`input[type=checkbox][name="${name}"]`)];
  const count = (name) => boxes(name).filter((box) => box.checked).length;
  const recount = () => {
    for (const counter of document.querySelectorAll("[data-counts]")) counter.textContent = count(counter.dataset.counts);
    for (const button of document.querySelectorAll("[data-needs]")) {
      const all = button.form?.elements.scope?.value === "filter";
      button.disabled = !all && !count(button.dataset.needs);
    }
    for (const button of document.querySelectorAll("[data-unticks]")) button.hidden = !count(button.dataset.unticks);
    for (const heading of document.querySelectorAll("[data-ticks]")) {
      const all = boxes(heading.dataset.ticks).length;
      heading.checked = all > 0 && count(heading.dataset.ticks) === all;
    }
  };

  /* Ticks outlive a swap, a reload and the way back, in this tab and on their page only: a list's address is its filter,
     while the queue stays one list whatever is on the desk. A tick of the queue holds the version that was seen. */
  const TICKS = "ticks:";
  const lists = ["ticked", "note"];
  const ticks = (name) => `${TICKS}${name}:${location.pathname}${name === "note" ? location.search : ""}`;
  const known = (name) => new Set(JSON.parse(sessionStorage.getItem(ticks(name)) ?? "[]"));
  const remember = (name) => {
    const values = known(name);
    for (const box of boxes(name)) values[box.checked ? "add" : "delete"](box.value);
    if (values.size) sessionStorage.setItem(ticks(name), JSON.stringify([...values]));
    else sessionStorage.removeItem(ticks(name));
  };
  const tick = () => {
    for (const name of lists) {
      const values = known(name);
      for (const box of boxes(name)) box.checked ||= values.has(box.value);
    }
    recount();
  };
  const untick = () => Object.keys(sessionStorage).filter((key) => key.startsWith(TICKS)).forEach((key) => sessionStorage.removeItem(key));
  document.addEventListener("change", (event) => {
    const name = event.target.dataset.ticks;
    if (name) boxes(name).forEach((box) => { box.checked = event.target.checked; });
    lists.forEach(remember);
    recount();
  });
  document.addEventListener("click", (event) => {
    const name = event.target.closest("[data-unticks]")?.dataset.unticks;
    if (!name) return;
    boxes(name).forEach((box) => { box.checked = false; });
    sessionStorage.removeItem(ticks(name));
    recount();
    document.querySelector(`[data-ticks="${name}"]`)?.focus();
  });
  document.addEventListener("htmx:afterSettle", tick);
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.successful && event.detail.requestConfig.elt.id === "ticked") untick();
  });

  for (const button of document.querySelectorAll("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  }

  arrived();
  restore(document);
  if (document.querySelector("[data-done]")) untick();
  tick();
  reveal();
  reopen(document);
})();
