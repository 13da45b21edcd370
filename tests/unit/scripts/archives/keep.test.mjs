// A file of all matches that is kept: shared or downloaded, and noted only if it was.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../support/fresh.mjs";
import { openPage, settle } from "../support/page.mjs";

const LINE = `<p data-unfiled><a href="/en/export/matches.zip" data-keep="/en/export/kept">Keep a file</a></p>`;
const ZIP = { headers: { "Content-Disposition": "attachment; filename=companion-2026-11-29.zip" } };

/** Taps the link where the phone shares files by `share`, or not at all; gives what came of it. */
async function tap(share, status = 200) {
  const page = openPage(LINE), given = [];
  if (share) Object.assign(navigator, { canShare: () => true, share: async ({ files: [file] }) => { given.push(`shared ${file.name}`); await share(); } });
  document.createElement = () => ({ click() { given.push(`saved ${this.download}`); } });
  page.fetch = ({ method }) => (method ? new Response(null, { status: 204 }) : new Response("zip", { ...ZIP, status }));
  await load("archives/keep.js");
  const click = page.tap(page.find("a"));
  await settle();
  assert.ok(click.defaultPrevented);
  const noted = page.requests.filter(({ method }) => method === "POST").map(({ url, fields: [[name, at]] }) => [url, name, Date.parse(at) <= Date.now()]);
  return { page, given, noted, fetched: page.requests.length - noted.length };
}

const NOTED = [["/en/export/kept", "at", true]];
const fail = (name) => () => { throw Object.assign(new Error("no"), { name }); };

test("it goes to the share sheet where that takes it, is noted, and the line goes", async () => {
  const { page, given, noted, fetched } = await tap(() => {});
  assert.deepEqual([given, noted, fetched], [["shared companion-2026-11-29.zip"], NOTED, 1]);
  assert.equal(page.find("[data-unfiled]"), null);
});

test("it is downloaded elsewhere", async () => {
  const { page, given, noted } = await tap(null);
  assert.deepEqual([given, noted, page.visited], [["saved companion-2026-11-29.zip"], NOTED, []]);
});

test("a share sheet that is closed keeps nothing", async () => {
  const { page, noted } = await tap(fail("AbortError"));
  assert.deepEqual([noted, page.visited], [[], []]);
  assert.ok(page.find("[data-unfiled]"));
});

test("where it cannot be shared after all, or made, the link is followed", async () => {
  assert.deepEqual((await tap(fail("NotAllowedError"))).page.visited, ["/en/export/matches.zip"]);
  assert.deepEqual((await tap(() => {}, 500)).page.visited, ["/en/export/matches.zip"]);
});
