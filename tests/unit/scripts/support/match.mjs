// The pages of a match on a phone, and a server that keeps its log.
import { loadAll } from "./fresh.mjs";
import { openPage, reply, settle } from "./page.mjs";

const WAITING = `<section id="waiting" hidden data-silent="no network" data-later="not before {time}" data-held="behind" data-refused="not saved">
  <details><summary><span data-count></span><span data-some-later></span><span data-some-refused hidden>refused</span></summary><ol></ol></details>
  <button type="button" data-try>Try now</button>
  <template><li><b data-name></b><bdi data-text></bdi><time></time><span data-state></span>
    <div data-does><a data-open>Open</a><button type="button" data-drop>x</button></div>
    <div data-question hidden><button type="button" data-surely>Yes</button><button type="button" data-spare>No</button></div></li></template>
</section><p id="unkept" hidden>cannot keep</p>`;
const DRAFTS = `<template id="draft-texts"ANSWER>
  <p class="draft-line" data-kind="taken-up"><time></time><button type="button">Start again</button></p>
  <p class="draft-line" data-kind="not-taken-up"><time></time><button type="button">Take it up</button></p>
  <p class="draft-line" data-kind="afresh"><button type="button">Bring it back</button></p>
  <p class="unkept">cannot keep</p></template>`;

let keys = 0;

/** The form of a deal, as the server makes it. */
export const dealForm = ({ match = "abc", seq = 1, points = "", id = "deal", more = "" } = {}) =>
  `<form id="${id}" method="post" action="/en/m/${match}/deal" data-saves="^save">
  <input type="hidden" name="csrf_token" value="token"><input type="hidden" name="form_key" value="key-${++keys}"><input type="hidden" name="seq" value="${seq}">
  <label><input type="radio" name="bid" value="A:H"> Ewa</label><label><input type="radio" name="bid" value="B:S"> Jan</label>
  <input name="points" value="${points}">${more}<button name="do" value="save" class="primary">Save</button><button name="do" value="audit">Check</button></form>`;

/** A page with what every page of the app has. */
export const pageOf = (main, { mark = "me", isAnswer = false, kept = false, attributes = "" } = {}) =>
  `<html lang="en" data-browser="${mark}" data-version="1"${kept ? ' data-kept="2026-01-01T10:00:00Z"' : ""} ${attributes}><head><title>t</title></head><body><header class="top"></header>
  <main id="main">${WAITING}${main}</main><div class="actions"></div><a data-home href="/en/">home</a>${DRAFTS.replace("ANSWER", isAnswer ? " data-answer" : "")}</body></html>`;

/** Opens a page with the scripts of the outbox and of drafts; gives it and what they export. */
export async function openMatch(main = dealForm(), options = {}) {
  const page = openPage(pageOf(main, options), { path: "/en/m/abc/deal", ...options });
  if (options.server) page.fetch = options.server.answer;
  if (options.worker) globalThis.navigator.serviceWorker = { controller: {} };
  const [outbox, , drafts] = await loadAll("offline/outbox.js", "offline/waiting.js", "offline/drafts.js");
  page.send("pageshow", { persisted: false });
  await settle();
  return { page, outbox, drafts };
}

/** Types a deal, and taps Save. */
export async function saveDeal(page, points, { form = page.find("#deal"), taps = 1, button = "[value=save]" } = {}) {
  if (points !== null) page.type(form.elements.points, points);
  for (let tap = 0; tap < taps; tap++) form.requestSubmit(form.querySelector(button));
  await settle();
}

/** A server with the log of each match: what was written, by whom it was sent. `fate` is what befalls each request. */
export function makeServer() {
  const written = new Map(), sent = new Map();
  const server = {
    fate: null,
    mark: "me",
    written: (match = "abc") => (written.get(match) ?? []).map(({ points }) => points),
    /** An entry of another device. */
    writeElsewhere(points, match = "abc") {
      written.set(match, [...(written.get(match) ?? []), { points }]);
    },
    answer: async (request) => {
      const fate = await server.fate?.(request);
      if (fate) return fate;
      const fields = Object.fromEntries(request.fields), match = /\/m\/(\w+)/.exec(request.url)[1];
      const done = sent.get(fields.form_key), log = written.get(match) ?? [];
      if (done && done.points === fields.points) return reply(done);
      if (Number(fields.seq) !== log.length + 1) return refuse("The match has moved on", fields, 409);
      if (Number(fields.points) > 162) return refuse("More than there is", fields, 422);
      written.set(match, [...log, fields]);
      const seq = log.length + 2;
      sent.set(fields.form_key, { to: `/en/m/${match}`, seq, points: fields.points });
      return reply({ to: `/en/m/${match}`, seq }, { headers: { "X-Browser": server.mark } });
    },
  };
  const refuse = (why, fields, status) => {
    const { length } = written.get("abc") ?? [];
    const form = dealForm({ seq: length + 1, points: fields.points });
    return reply(pageOf(`<p role="alert">${why}</p>${form}`), { status, headers: { "X-Browser": server.mark } });
  };
  return server;
}

export const noNetwork = () => Promise.reject(new TypeError("no network"));
export const lines = (page) => page.document.querySelectorAll("#waiting li");
