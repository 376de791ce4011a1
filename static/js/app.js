/* Everything the pages do beyond links and forms. Without this file they still work. */
(() => {
  "use strict";

  const NOT_SENT = "Your message wasn’t sent. It’s still here. Try again.";
  const NOT_DONE = "That didn’t work, and nothing was changed. Try again.";
  const SIGNED_OUT = "You’re signed out. Sign in from another window, then try again. What you wrote is still here.";
  const TOAST_SECONDS = 10;
  const NEAR_END = 120;
  /* How much is told about pastes: conversations/web/forms.py keeps the same bounds. */
  const PASTES = 200;
  const PASTED_CHARS = 40000;

  const root = document.documentElement;
  root.classList.add("js");

  const one = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  /* ---- Saying things --------------------------------------------------------------------- */

  function icon(name) {
    const known = one("svg.icon use");
    const sprite = known ? known.getAttribute("href").split("#")[0] : "";
    const ns = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(ns, "svg");
    const use = document.createElementNS(ns, "use");
    svg.setAttribute("class", "icon");
    svg.setAttribute("aria-hidden", "true");
    use.setAttribute("href", `${sprite}#${name}`);
    svg.append(use);
    return svg;
  }

  function toast(words, failed = false) {
    const place = one("#status");
    if (!place) return;
    const box = document.createElement("div");
    box.className = failed ? "toast toast-error" : "toast";
    box.dataset.toast = "";
    if (failed) box.append(icon("warning"));
    const text = document.createElement("p");
    text.textContent = words;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button button-icon button-small";
    button.dataset.dismiss = "";
    button.setAttribute("aria-label", "Dismiss");
    button.append(icon("x"));
    box.append(text, button);
    place.append(box);
    startToast(box);
  }

  function startToast(box) {
    if (box.dataset.started) return;
    box.dataset.started = "yes";
    let timer = 0;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (box.matches(":hover, :focus-within")) wait();
        else box.remove();
      }, TOAST_SECONDS * 1000);
    };
    for (const name of ["mouseleave", "focusout"]) box.addEventListener(name, wait);
    for (const name of ["mouseenter", "focusin"]) box.addEventListener(name, () => clearTimeout(timer));
    wait();
  }

  /* Over plain http a page may not write to the clipboard: then the link is marked, to be copied by hand. */
  async function copy(from) {
    from.select();
    try {
      await navigator.clipboard.writeText(from.value);
      toast("Copied.");
    } catch {
      toast("Selected. Press Ctrl+C or ⌘C to copy.");
    }
  }

  /* The same for a stretch of the page. */
  async function copyText(place) {
    try {
      await navigator.clipboard.writeText(place.innerText.trim());
      toast("Copied.");
    } catch {
      getSelection().selectAllChildren(place);
      toast("Selected. Press Ctrl+C or ⌘C to copy.");
    }
  }

  /* Each block of code gets a button of its own, once its answer is whole. */
  function offerCopies(within) {
    for (const code of all('.answer:not([aria-busy]) .answer-text pre > code', within)) {
      if (code.nextElementSibling) continue;
      if (code.scrollWidth > code.clientWidth) code.tabIndex = 0;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button button-icon button-small code-copy";
      button.title = "Copy";
      button.setAttribute("aria-label", "Copy this code");
      button.append(icon("copy"));
      button.addEventListener("click", () => copyText(code));
      code.after(button);
    }
  }

  /* One plain sentence out of whatever the server answered; "" when it carries none. */
  function sentenceOf(xhr) {
    const text = (xhr.responseText || "").trim();
    if (!text) return "";
    if ((xhr.getResponseHeader("Content-Type") || "").includes("json")) {
      try {
        return String(JSON.parse(text).detail || "");
      } catch {
        return "";
      }
    }
    const page = new DOMParser().parseFromString(text, "text/html");
    const marked = one("[data-sentence], .error, .notice p", page);
    if (marked) return marked.textContent.trim().replace(/\s+/g, " ");
    if (/<html[\s>]/i.test(text)) return "";
    const words = page.body.textContent.trim().replace(/\s+/g, " ");
    return words.length <= 300 ? words : "";
  }

  /* ---- The composer ---------------------------------------------------------------------- */

  const composer = () => one("#composer");
  const field = () => one("#id_content");
  const draftKey = () => `throughline:draft:${location.pathname}`;

  function notice(words, failed = true) {
    const place = one("#composer-notice");
    if (!place) return;
    place.replaceChildren();
    if (!words) return;
    const box = document.createElement("div");
    box.className = failed ? "notice notice-failed composer-notice" : "notice composer-notice";
    const text = document.createElement("p");
    text.textContent = words;
    box.append(icon(failed ? "warning" : "info"), text);
    place.append(box);
  }

  function saveDraft() {
    const area = field();
    if (!area) return;
    try {
      if (area.value.trim()) {
        const key = composer().elements.client_key;
        sessionStorage.setItem(draftKey(), JSON.stringify({ text: area.value, key: key ? key.value : "", pasted: told(composer()) }));
      } else {
        sessionStorage.removeItem(draftKey());
      }
    } catch {
      /* A full or forbidden store only costs the copy; the text stands in the field. */
    }
  }

  function forgetDraft() {
    try {
      sessionStorage.removeItem(draftKey());
    } catch {
      /* As above. */
    }
  }

  /* The draft comes back with the key it was sent under, so that sending it again makes one message. */
  function restoreDraft() {
    const area = field();
    if (!area || area.value) return;
    try {
      const kept = JSON.parse(sessionStorage.getItem(draftKey()) || "null");
      if (!kept || !kept.text) return;
      area.value = kept.text;
      if (kept.key) composer().elements.client_key.value = kept.key;
      if (kept.pasted) composer().elements.pasted.value = JSON.stringify(kept.pasted);
      grow(area);
    } catch {
      /* As above. */
    }
  }

  const growsItself = CSS.supports("field-sizing", "content");
  function grow(area) {
    if (growsItself) return;
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight}px`;
  }

  /* An example goes into the composer, to be changed or sent. */
  function useExample(words) {
    const area = field();
    area.value = words;
    grow(area);
    saveDraft();
    area.focus();
  }

  const writing = () => all('.answer[aria-busy="true"] form[data-stop-form]').pop();

  /* While a reply is being written, Stop stands where Send was. */
  function syncStop() {
    const form = composer();
    if (!form) return;
    const stopping = writing();
    const stop = one("[data-stop]", form);
    const send = one("[data-send]", form);
    const hadFocus = document.activeElement === stop || document.activeElement === send;
    if (stopping) stop.setAttribute("form", stopping.id);
    stop.hidden = !stopping;
    send.hidden = Boolean(stopping);
    if (hadFocus) field().focus();
  }

  function setSending(form, sending) {
    if (sending) form.setAttribute("aria-busy", "true");
    else form.removeAttribute("aria-busy");
    const area = one("textarea", form);
    if (area) area.readOnly = sending;
  }

  document.addEventListener("keydown", (event) => {
    const area = event.target;
    if (area.id !== "id_content" || event.key !== "Enter" || event.shiftKey) return;
    // 229: an input method is still composing; its Enter belongs to it.
    if (event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    area.form.requestSubmit(one("[data-send]", area.form));
  });

  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target;
      if (form.id !== "composer") return;
      const refuse = (words) => {
        event.preventDefault();
        event.stopImmediatePropagation();
        if (words) notice(words, false);
      };
      const area = one("textarea", form);
      if (form.getAttribute("aria-busy") === "true") refuse("");
      else if (writing()) refuse("Still writing. Wait, or press Stop. Your message stays here.");
      else if (!area.value.trim()) refuse("Write something first.");
      else {
        notice("");
        saveDraft();
      }
    },
    true,
  );

  document.addEventListener("input", (event) => {
    if (event.target.id !== "id_content") return;
    grow(event.target);
    saveDraft();
  });

  /* Pasted words are not the person's own: the form says which they are, and memory asks first. */
  function told(form) {
    try {
      const list = JSON.parse(form.elements.pasted.value || "[]");
      return Array.isArray(list) ? list : [];
    } catch {
      return [];
    }
  }

  function written(form) {
    return form.querySelector("textarea")?.value || "";
  }

  function tell(form, text) {
    if (!form.elements.pasted || !text.trim()) return;
    // What was pasted and taken out again makes room; of an edited paste its lines are looked for.
    const stands = (one) => one.split("\n").some((line) => line.trim() && written(form).includes(line.trim()));
    const list = told(form).filter((one) => typeof one === "string" && one !== text && stands(one));
    const room = PASTED_CHARS - list.reduce((sum, one) => sum + one.length, 0);
    if (list.length < PASTES && room > 0) {
      form.elements.pasted.value = JSON.stringify([...list, text.slice(0, room)]);
    }
  }

  for (const name of ["paste", "drop"]) {
    document.addEventListener(name, (event) => {
      const carried = event.clipboardData || event.dataTransfer;
      if (event.target.matches?.("#id_content, .reword") && carried) tell(event.target.form, carried.getData("text/plain"));
    });
  }

  document.addEventListener("click", (event) => {
    const form = event.target.closest("#composer");
    if (form && event.target === form) field().focus();
  });

  /* What is temporary is private. */
  document.addEventListener("change", (event) => {
    if (event.target.id === "id_temporary" && event.target.checked) one("#id_private").checked = true;
    if (event.target.id === "id_private" && !event.target.checked) one("#id_temporary").checked = false;
  });

  /* ---- Requests and their failures ------------------------------------------------------- */

  document.addEventListener("htmx:beforeRequest", (event) => {
    const elt = event.detail.elt;
    if (elt.id === "composer") setSending(elt, true);
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    // By now the answer may have replaced the form: the event itself comes from its parent.
    const { xhr, requestConfig } = event.detail;
    const elt = requestConfig.elt;
    if (elt.id !== "composer") return;
    setSending(elt, false);
    if (xhr && xhr.status >= 200 && xhr.status < 300 && !event.detail.failed) {
      forgetDraft();
      if (composer()) composer().elements.pasted.value = "";
      following = true;
      toEnd();
    }
  });

  /* A fragment is expected. A whole page means that the person was signed out or sent elsewhere. */
  document.addEventListener("htmx:beforeSwap", (event) => {
    const detail = event.detail;
    const { xhr, target } = detail;
    const text = xhr.responseText || "";
    if (xhr.status >= 400 && xhr.status !== 422) {
      // The server may answer a refusal with the part of the page that says so.
      if (target.id && text.includes(`id="${target.id}"`) && !/<html[\s>]/i.test(text)) {
        detail.shouldSwap = true;
        detail.isError = false;
      }
      return;
    }
    if (!/<html[\s>]/i.test(text)) return;
    const select = detail.requestConfig.elt.getAttribute("hx-select");
    if (select && one(select, new DOMParser().parseFromString(text, "text/html"))) return;
    detail.shouldSwap = false;
    detail.isError = true;
  });

  function failed(elt, words) {
    if (elt.closest && elt.closest("#composer")) notice(words || NOT_SENT);
    else toast(words || NOT_DONE, true);
  }

  document.addEventListener("htmx:responseError", (event) => {
    const { xhr, elt } = event.detail;
    const wholePage = /<html[\s>]/i.test(xhr.responseText || "");
    const signIn = wholePage && /\/login\//.test(xhr.responseURL || "");
    failed(elt, signIn || xhr.status === 401 ? SIGNED_OUT : sentenceOf(xhr));
  });
  for (const name of ["htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(name, (event) => failed(event.detail.elt, ""));
  }

  /* ---- A reply as it is written ---------------------------------------------------------- */

  /* An event source tells neither the status nor the words of a refusal: they are asked for. */
  async function whyRefused(source) {
    const leave = new AbortController();
    try {
      const answer = await fetch(source.url, { signal: leave.signal });
      if (answer.status === 429) return await answer.text();
    } catch {
      /* The connection is lost: that is what the page says then. */
    }
    leave.abort();
    return "";
  }

  document.addEventListener("htmx:sseError", async (event) => {
    const away = one(".away", event.target);
    if (!away || away.classList.contains("is-away")) return;
    away.dataset.lost = away.dataset.lost || away.textContent;
    const { source } = event.detail;
    const refused = source.readyState === EventSource.CLOSED && (await whyRefused(source));
    away.textContent = refused || away.dataset.lost;
    if (refused || source.readyState !== EventSource.OPEN) away.classList.add("is-away");
  });
  document.addEventListener("htmx:sseOpen", (event) => {
    const away = one(".away", event.target);
    if (away) away.classList.remove("is-away");
  });

  /* Stay at the end while a reply is written or read for facts, only if the reader was there and
     has opened nothing since. */
  let following = false;
  const GROWING = '[aria-busy="true"], .notes[hx-get]';
  const atEnd = () => innerHeight + scrollY >= root.scrollHeight - NEAR_END;
  const toEnd = () => scrollTo({ top: root.scrollHeight, behavior: "instant" });
  function follow() {
    const log = one("[data-follow]");
    if (!log) return;
    const anchored = location.hash && one(`#${CSS.escape(location.hash.slice(1))}`);
    if (anchored && anchored.closest("#log") && anchored !== last(log)) following = atEnd();
    else {
      following = true;
      toEnd();
    }
    addEventListener("scroll", () => (following = atEnd()), { passive: true });
    log.addEventListener("click", (event) => {
      if (!event.target.closest('[type="submit"]')) following = false;
    });
    let wasGrowing = true;
    new ResizeObserver(() => {
      const growing = Boolean(one(GROWING, log)) || document.readyState !== "complete";
      // What is being edited stays in sight. The last change of a reply ends its writing.
      if (following && (growing || wasGrowing) && !one("[data-editor]", log)) toEnd();
      wasGrowing = growing;
    }).observe(log);
  }
  function last(log) {
    const entry = log.lastElementChild;
    return entry && entry.matches(location.hash) ? entry : null;
  }

  /* ---- Reading further up or down in a long conversation --------------------------------- */

  /* What was being read stays where it is on the screen, and the messages are not all read out:
     one line says how many came. */
  let reading = null;
  const messagesIn = (log) => all(":scope > .entry:not(.earlier, .summed-up)", log).length;
  document.addEventListener("htmx:beforeSwap", (event) => {
    const link = event.detail.target;
    if (!link || !event.detail.shouldSwap || !link.matches("#log > .earlier, #log > .later")) return;
    const log = link.parentElement;
    const up = link.matches(".earlier");
    const beside = up ? link.nextElementSibling : link.previousElementSibling;
    const focused = link.contains(document.activeElement);
    reading = { log, up, beside, focused, top: beside.getBoundingClientRect().top, count: messagesIn(log) };
    log.classList.add("is-growing");
    log.setAttribute("aria-live", "off");
    following = false;
  });
  document.addEventListener("htmx:afterSwap", () => {
    if (!reading) return;
    const { log, up, beside, focused, top, count } = reading;
    reading = null;
    scrollBy({ top: beside.getBoundingClientRect().top - top, behavior: "instant" });
    const came = messagesIn(log) - count;
    const next = one(up ? ":scope > .earlier a" : ":scope > .later a", log);
    const words = `${came} ${up ? "earlier" : "later"} messages loaded.`;
    one("#read-aloud").textContent = next ? words : `${words} ${up ? "This is where the conversation begins." : ""}`;
    if (focused) (next || focusable(beside)).focus({ preventScroll: true });
    requestAnimationFrame(() => {
      log.classList.remove("is-growing");
      log.removeAttribute("aria-live");
    });
  });
  function focusable(entry) {
    entry.tabIndex = -1;
    return entry;
  }

  /* ---- Menus, editors, the side ---------------------------------------------------------- */

  function closeEditor(editor) {
    const row = editor.closest(".fact, .question");
    editor.remove();
    const opener = row ? one("[data-opener]", row) : one("[data-add-link]");
    if (opener) opener.focus();
  }

  function openSide(open) {
    const side = one("#side");
    side.classList.toggle("is-open", open);
    const opener = one("[data-open-side]");
    opener.setAttribute("aria-expanded", String(open));
    if (open) one("[data-close-side]").focus();
    else opener.focus();
  }

  document.addEventListener("click", (event) => {
    const on = (selector) => event.target.closest(selector);
    const cancel = on("[data-cancel]");
    if (on("[data-say]")) {
      event.preventDefault();
      useExample(on("[data-say]").dataset.say);
    } else if (on("[data-dismiss]")) on("[data-toast]").remove();
    else if (on("[data-open-side]") || on("[data-close-side]")) {
      event.preventDefault();
      openSide(Boolean(on("[data-open-side]")));
    } else if (cancel && cancel.closest("[data-inline]")) {
      event.preventDefault();
      closeEditor(cancel.closest("[data-editor]"));
    } else if (on("[data-copy]")) copy(one(on("[data-copy]").dataset.copy));
    else if (on("[data-copy-text]")) copyText(one(on("[data-copy-text]").dataset.copyText));
    else if (on(".deeds [hx-get]")) on(".deeds").open = false;
    for (const menu of all("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    const menu = event.target.closest("details[open]") || one("details.menu[open]");
    const editor = event.target.closest("[data-inline] [data-editor]") || one("[data-inline] [data-editor]");
    const side = one("#side.is-open");
    const box = event.target.closest("[data-toast]");
    if (menu) {
      menu.open = false;
      one("summary", menu).focus();
    } else if (event.target.closest(".note-editing")) one("a[hx-get]", event.target.closest(".note-editing")).click();
    else if (box) box.remove();
    else if (side) openSide(false);
    else if (editor) closeEditor(editor);
  });

  /* "/" leads to the search field, unless somebody is writing. */
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.closest("input, select, textarea, [contenteditable]")) return;
    const search = all("[data-search]").find((field) => field.offsetParent);
    if (!search) return;
    event.preventDefault();
    search.focus();
    search.select();
  });

  /* Focus goes where the work went on: into a fresh editor, or to what took its place. */
  let actedIn = "";
  document.addEventListener("htmx:beforeSwap", (event) => {
    const target = event.detail.target;
    actedIn = target && target.id && target.contains(document.activeElement) ? target.id : "";
  });
  document.addEventListener("htmx:afterSettle", () => {
    syncStop();
    if (!actedIn) return;
    const place = document.getElementById(actedIn);
    actedIn = "";
    if (!place || document.activeElement !== document.body) return;
    const next = place.matches("[data-return]") ? place : one("[data-return]", place);
    if (next) next.focus({ preventScroll: true });
  });
  document.addEventListener("htmx:sseMessage", syncStop);

  /* What was just made draws its branch once. */
  document.addEventListener("htmx:load", (event) => {
    const elt = event.detail.elt;
    if (elt === document.body || !(elt instanceof Element)) return;
    if (elt.matches(".note, .answer")) elt.classList.add("is-new");
    offerCopies(document);
    const editor = elt.matches("[data-editor]") ? elt : one("[data-editor]", elt);
    if (editor && !editor.contains(document.activeElement)) {
      const first = one("[autofocus], [aria-invalid], select, textarea, input:not([type=hidden])", editor);
      if (first) first.focus();
    }
    // Out from under the bar that stays, and from behind the field for the next message.
    if (editor) editor.scrollIntoView({ block: "nearest" });
    if (elt.matches(".conflict-card.is-settled")) elt.classList.add("is-joined");
    if (elt.id === "composer") {
      grow(field());
      saveDraftOnlyIfTyped();
    }
    syncStop();
  });
  function saveDraftOnlyIfTyped() {
    if (field().value.trim()) saveDraft();
  }

  /* ---- Begin ----------------------------------------------------------------------------- */

  restoreDraft();
  offerCopies(document);
  syncStop();
  follow();
  all("[data-toast]").forEach(startToast);
  // From now on a click or a key goes through htmx, which has looked at the page by then.
  addEventListener("DOMContentLoaded", () => (root.dataset.ready = ""));
})();
