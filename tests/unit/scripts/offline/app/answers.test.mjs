import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../support/fresh.mjs";

const answers = await load("offline/app/answers.js");
const bytes = (text) => new TextEncoder().encode(text);

test("an answer of the program is a response of a browser", async () => {
  const page = answers.toResponse({ status: 200, headers: [["Content-Type", "text/html"]], content: bytes("hi") }, "GET", "https://a/");
  assert.equal(await page.text(), "hi");
  for (const [status, method] of [[304, "GET"], [204, "POST"], [200, "HEAD"]]) {
    assert.equal(answers.toResponse({ status, headers: [], content: bytes("") }, method, "https://a/").body, null);
  }
  const redirect = answers.toResponse({ status: 303, headers: [["Location", "/en/m/abc"]], content: bytes("") }, "POST", "https://a/en/new");
  assert.equal(redirect.headers.get("Location"), "https://a/en/m/abc");
});

test("what a form that was carried out led to", async () => {
  const json = new Response('{"to": "/en/m/abc", "seq": 4}', { headers: { "Content-Type": "application/json" } });
  assert.deepEqual(await answers.readOutcome(json), { to: "/en/m/abc", seq: 4 });
  assert.equal(await answers.readOutcome(new Response("refused", { status: 409, headers: { "Content-Type": "text/html" } })), null);
  assert.deepEqual(await answers.readOutcome(new Response("", { status: 500 })), {}); // it may have written before
  assert.deepEqual(await answers.readOutcome({ type: "opaqueredirect" }), {});
});

test("what was chosen in the device since the server announced its settings", () => {
  const shown = "lang=en&paper=";
  assert.equal(answers.findChoice({ cookies: {}, chosen: shown, shown }), null);
  assert.equal(answers.findChoice({ cookies: { lang: "pl" }, chosen: "lang=cs", shown }), null); // the server announced something else since
  assert.equal(answers.findChoice({ shown: undefined }), null);
  assert.deepEqual(answers.findChoice({ cookies: { "__Host-lang": "pl", "paper.club": "dark" }, chosen: shown, shown }), {
    path: "pl/paper/dark?next=/pl/manifest.webmanifest", from: "en/",
  });
  assert.equal(answers.findChoice({ cookies: { lang: "en", paper: "" }, chosen: shown, shown }), null);
});
