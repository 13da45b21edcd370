import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../support/fresh.mjs";
import { openPage, settle } from "../support/page.mjs";

process.env.TZ = "Europe/Warsaw"; // the phone's; the pages are those of a server in UTC

/** A page with such times, opened when it is that moment. */
async function open(now, times, lang = "en") {
  const page = openPage(`<html lang="${lang}"><body>${times}</body></html>`);
  await page.advance(Date.parse(now) - Date.now());
  const watched = [];
  globalThis.MutationObserver = class { constructor(heed) { watched.push(heed); } observe() {} };
  globalThis.setInterval = (work) => { page.everyHalfMinute = work; };
  await load("offline/zone.js");
  return Object.assign(page, { said: () => [...page.document.querySelectorAll("time")].map((time) => time.textContent), change: () => watched.forEach((heed) => heed()) });
}

const LATE = "2099-11-22T23:46:00.000+00:00"; // 00:46 on the 23rd, in Warsaw
const FORMS = ["clock", "day", "whole"].map((form) => `<time datetime="${LATE}" data-form="${form}">of the server</time>`).join("");

test("times are said in the zone of the phone, with its day", async () => {
  const page = await open("2099-11-22T23:50:00Z", FORMS);
  assert.deepEqual(page.said(), ["00:46", "23 Nov 2099", "23 Nov 2099, 00:46"]);
});

test("what was today has its day after midnight, also on a page that was kept", async () => {
  const page = await open("2099-11-23T22:59:00Z", FORMS);
  assert.equal(page.said()[0], "00:46");
  await page.advance(2 * 60_000);
  page.everyHalfMinute();
  assert.equal(page.said()[0], "23 Nov 2099, 00:46");
});

for (const [lang, begun, said] of [
  ["en", "2099-11-23T00:46:00+01:00", "23 November 2099, 00:46"],
  ["en", "2099-11-22T23:46:00+00:00", "23 November 2099, 00:46 (Europe/Warsaw)"],
  ["en", "2099-07-22T23:46:00-03:30", "23 July 2099, 05:16 (Europe/Warsaw)"],
  ["pl", "2099-11-23T00:46:00+01:00", "23 listopada 2099, 00:46"],
  ["ru", "2099-11-23T00:46:00+01:00", "23 ноября 2099 г., 00:46"],
  ["uk", "2099-11-23T00:46:00+01:00", "23 листопада 2099 р., 00:46"],
  ["cs", "2099-11-23T00:46:00+01:00", "23. listopadu 2099, 0:46"],
  ["de", "2099-11-23T00:46:00+01:00", "23. November 2099, 00:46"],
  ["fr", "2099-11-23T00:46:00+01:00", "23 novembre 2099, 00:46"],
  ["hr", "2099-11-23T00:46:00+01:00", "23. studenoga 2099., 00:46"],
]) {
  test(`a sheet says when it was begun, and the zone where the table's clock was another: ${lang} ${begun}`, async () => {
    const page = await open("2099-11-22T23:50:00Z", `<time datetime="${begun}" data-form="sheet">of the server</time>`, lang);
    assert.deepEqual(page.said().map((text) => text.replace(/\s/g, " ")), [said]);
  });
}

test("so is what comes into the page later; what has no moment stays", async () => {
  const page = await open("2099-11-22T23:50:00Z", `<p></p><time>some time</time><time datetime="20991122T2346Z">another</time>`);
  page.find("p").innerHTML = `<time datetime="${LATE}" data-form="clock">23:46</time>`;
  page.change();
  await settle();
  assert.deepEqual(page.said(), ["00:46", "some time", "another"]);
});

test("the server is told the zone", async () => {
  const page = await open("2099-11-22T23:50:00Z", "");
  assert.match(page.document.cookie, /^zone=Europe\/Warsaw; path=[^;]+; max-age=31536000; samesite=lax/);
});
