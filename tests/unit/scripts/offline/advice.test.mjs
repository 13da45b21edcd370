// What each browser and host is told of what is stored on it, against what it does with that: the sentences are those
// of the templates, chosen by the scripts of the pages.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";
import { needsDatabase, openDevice } from "../support/database.mjs";
import { load, loadAll } from "../support/fresh.mjs";
import { dealForm, makeServer, noNetwork, openMatch, pageOf, saveDeal } from "../support/match.mjs";
import { openPage, settle } from "../support/page.mjs";

beforeEach(openDevice);

const TEMPLATES = new URL("../../../../templates/", import.meta.url);
const STAYS = "Your matches stay; what waits to be sent, and the program, do not.";

/** A part of a template as English, without what a server would fill in. */
const partOf = (file, pattern) => pattern.exec(readFileSync(new URL(file, TEMPLATES), "utf-8"))[0]
  .replace(/\{%-? if host\.has_server -?%\}((?:(?!endif)[^])*?)\{%-? else -?%\}[^]*?\{%-? endif -?%\}/g, "$1")
  .replace(/\{\{-? what_stays\(\) -?\}\}/g, STAYS)
  .replace(/\{\{-?\s*_\(((?:"[^"]*"\s*)+)(?:,\s*(\w+)="[^"]*")?\)\s*-?\}\}/g, (_all, said, name) => {
    const text = said.trim().replace(/"\s*"/g, "").slice(1, -1);
    return name ? text.replace(`%(${name})s`, `{${name}}`) : text;
  })
  .replace(/\{\{[^]*?\}\}|\{%[^]*?%\}/g, "");

const BOARD = partOf("offline/waiting.html", /<p id="at-risk"[^]*?<\/p>/);
const LIST = BOARD + partOf("matches/index.html", /<p id="home-screen-line"[^]*?<\/p>/);
const STEPS = partOf("offline/home_screen.html", /<section [^]*<\/section>/);
const CODE = partOf("offline/moving_code.html", /<div [^>]*data-home-screen[^]*?<\/div>/);
const PHONE = partOf("offline/this_phone.html", /<section [^>]*id="in-phone"[^]*<\/section>/) + '<p id="unscripted"></p>';

const APPLE = "Apple Computer, Inc.", GOOGLE = "Google Inc.";
const TAB = { vendor: GOOGLE, isSecure: true, lasts: false, inWindow: false };

// `does`: what becomes of what is stored; `leads`: whether the home screen is recommended, when nothing waits; `program`:
// why it cannot be had.
const KINDS = {
  "Safari on an iPhone": { ...TAB, vendor: APPLE, standalone: false, does: "week", leads: true },
  "another browser on an iPhone, which is WebKit too": { ...TAB, vendor: APPLE, standalone: false, does: "week", leads: true },
  "Safari on an iPhone that says that storage lasts": { ...TAB, vendor: APPLE, standalone: false, lasts: true, does: "week", leads: true },
  "the app on an iPhone's home screen": { ...TAB, vendor: APPLE, standalone: true, inWindow: true, lasts: true, does: "lasts" },
  "Safari on a Mac": { ...TAB, vendor: APPLE, does: "week" },
  "the app in a Mac's Dock": { ...TAB, vendor: APPLE, inWindow: true, does: "passes" },
  "Chrome on Android": { ...TAB, does: "passes" },
  "Chrome on Android, allowed to keep": { ...TAB, lasts: true, does: "lasts" },
  "the installed app on Android": { ...TAB, inWindow: true, lasts: true, does: "lasts" },
  Firefox: { ...TAB, vendor: "", does: "passes" },
  "Firefox, allowed to keep": { ...TAB, vendor: "", lasts: true, does: "lasts" },
  "Safari on an iPhone, by plain http": { ...TAB, vendor: APPLE, standalone: false, isSecure: false, does: "week", leads: true, program: "insecure" },
  "Safari on a Mac, by plain http": { ...TAB, vendor: APPLE, isSecure: false, does: "week", program: "insecure" },
  "Chrome on Android, by plain http": { ...TAB, isSecure: false, does: undefined, program: "insecure" },
  "Firefox by plain http": { ...TAB, vendor: "", isSecure: false, does: undefined, program: "insecure" },
};
const TOLD = { week: /seven days/, passes: /when space runs short/, lasts: /^$|until you forget it/, undefined: /^$/ };

/** A page on a device of a kind; with the program, or without it. */
async function open(html, { vendor, standalone, inWindow, isSecure, lasts }, scripts, hasProgram = false) {
  const page = openPage(pageOf(html), { path: "/en/m/abc" });
  if (hasProgram) (await load("offline/storage.js")).remember("pocket", "b1");
  globalThis.matchMedia = (query) => ({ matches: query.includes("standalone") && inWindow, addEventListener() {} });
  Object.assign(window, { isSecureContext: isSecure });
  Object.assign(navigator, { vendor, standalone, storage: isSecure ? { persisted: async () => lasts } : undefined });
  await loadAll("offline/app/asking.js", ...scripts);
  await settle();
  return page;
}

/** One entry waits: in the program, or in the outbox. */
async function wait(hasProgram) {
  if (hasProgram) {
    const rows = await load("offline/app/rows.js");
    await rows.changeBrowser("me");
    return rows.keep("me", { known: { unsent: 1 } });
  }
  const server = makeServer();
  server.fate = noNetwork;
  return saveDeal((await openMatch(dealForm(), { server, worker: true })).page, "80");
}

const isShown = (place) => place !== null && !place.closest("[hidden]");
const LEADS_AWAY = /home screen/i;

for (const [name, kind] of Object.entries(KINDS)) {
  for (const hasProgram of kind.isSecure ? [false, true] : [false]) {
    test(`with an entry that waits ${hasProgram ? "in the program" : "in the outbox"}: ${name}`, needsDatabase, async () => {
      await wait(hasProgram);
      const { textContent: told } = (await open(BOARD, kind, ["offline/risk.js"], hasProgram)).find("#at-risk");
      assert.match(told, TOLD[kind.does]);
      if (kind.does === "week") assert.match(told, /: 1\. Come back .*, with a network, so that it is sent/);
      for (const html of [LIST, CODE]) {
        const page = await open(html, kind, ["offline/risk.js", "offline/home_screen.js"], hasProgram);
        const shown = page.document.querySelectorAll("main p").filter(isShown).map(({ textContent }) => textContent).join(" ");
        assert.doesNotMatch(shown, LEADS_AWAY);
      }
      const page = await open(STEPS, kind, ["offline/home_screen.js"], hasProgram);
      if (!isShown(page.find("#home-screen"))) return;
      assert.match(page.find("#send-first").textContent, /: 1\. Send them first: they would stay behind/);
      assert.ok(isShown(page.find("#send-first")) && page.find("#home-screen ol").firstElementChild === page.find("#send-first"));
    });
  }

  test(`with nothing that waits: ${name}`, needsDatabase, async () => {
    const list = await open(LIST, kind, ["offline/risk.js", "offline/home_screen.js"]), line = list.find("#home-screen-line");
    assert.equal(isShown(list.find("#at-risk")), false);
    assert.equal(isShown(line), kind.leads === true);
    assert.match(line.textContent, /Your matches stay/);
    const steps = await open(STEPS + CODE, kind, ["offline/home_screen.js"]);
    assert.equal(isShown(steps.find("#home-screen")), kind.leads === true);
    assert.equal(isShown(steps.find("#send-first")), false);
    assert.equal(isShown(steps.find("[data-unless-waiting]")), kind.leads === true);
  });

  test(`of what is stored, and of the program: ${name}`, needsDatabase, async () => {
    const page = await open(PHONE, kind, ["offline/forget.js"]), told = page.find("[data-lasting]").textContent;
    assert.match(told, TOLD[kind.isSecure ? kind.does : undefined]);
    assert.doesNotMatch(told, LEADS_AWAY);
    Object.assign(navigator, { serviceWorker: { register: async (_address, options) => { options?.type?.toString(); } } });
    Object.assign(window, { caches: {}, indexedDB: {}, WebAssembly });
    assert.equal((await load("offline/app/asking.js")).findObstacle(), kind.program);
  });
}
