import assert from "node:assert/strict";
import { test } from "node:test";
import { loadAll } from "../support/fresh.mjs";
import { FakeEvent } from "../support/dom.mjs";
import { openPage, reply, settle } from "../support/page.mjs";

const NOTHING = ({ headers }) => new Response(null, { status: 304, headers: { "X-Seen": headers["X-Seen"] } });
const html = (main) => `<html data-seen="3.0" data-version="1" data-news="/en/m/abc/news?role=owner"><head><title>before</title></head>
  <body><header class="top">top</header><div id="news"></div><main id="main">${main}</main><template id="draft-texts"></template></body></html>`;
const line = (n) => `<li><a href="/en/m/abc/entries/${n}">Deal ${n}</a></li>`;
const board = ({ lines = [1], dock = "Undo", title = "before" } = {}) => html(`<section id="standing" data-live><ol>${lines.map(line).join("")}</ol><details><summary>more</summary></details><input name="note" value=""></section>
  <div id="dock" class="actions" data-live><a href="/en/m/abc/undo">${dock}</a></div>`).replace("before", title);
const FORM = html('<form method="post"><input type="hidden" name="seq" value="3"><input name="note" value=""></form>');

async function open(text, answer = NOTHING) {
  const page = openPage(text, { path: "/en/m/abc" });
  page.fetch = (request) => answer(request);
  await loadAll("offline/live.js", "offline/exchange.js"); // the second is there when the first wants it
  const show = (state) => {
    page.document.visibilityState = state;
    page.document.dispatchEvent(new FakeEvent("visibilitychange"));
  };
  return { page, show, find: page.find, lines: () => page.document.querySelectorAll("li").map((item) => item.textContent).join() };
}
const changed = (text, more = {}) => (request) => (request.headers["X-Seen"] === "4.0" ? NOTHING(request) : reply(text, { headers: { "X-Seen": "4.0", ...more } }));

test("a board asks for itself, by what it has seen, and takes in what has changed", async () => {
  const { page, find, lines } = await open(board(), changed(board({ lines: [2, 1], title: "after" })));
  const [old, fold] = [find("li"), find("details")];
  fold.open = true;
  await page.advance(1_000);
  await page.advance(2_000);
  assert.deepEqual(page.requests.slice(0, 2).map(({ url, headers }) => [url, headers["X-Seen"]]), [["/en/m/abc", "3.0"], ["/en/m/abc", "4.0"]]);
  assert.equal(lines(), "Deal 2,Deal 1");
  assert.equal(page.document.title, "after");
  assert.equal(page.document.querySelectorAll("li")[1], old);
  assert.equal(find("details") === fold && fold.open, true);
});

test("what is gone goes; a dock that changes takes no tap at first, one that stays does", async () => {
  for (const [dock, settles] of [["Put back", true], ["Undo", false]]) {
    const { page, find, lines } = await open(board({ lines: [3, 2, 1] }), changed(board({ lines: [2], dock })));
    await page.advance(2_000);
    assert.equal(lines(), "Deal 2");
    assert.equal(find("#dock").classList.contains("settling"), settles);
  }
});

for (const [hindrance, begin, end] of [
  ["a finger is down", (page) => page.send("pointerdown"), (page) => page.send("pointerup")],
  ["something is typed", (page) => page.type(page.find("[name=note]"), "a"), (page) => page.type(page.find("[name=note]"), "")],
  ["the focus is in a field", (page) => page.find("[name=note]").focus(), (page) => page.find("a").focus()],
]) {
  test(`nothing changes while ${hindrance}`, async () => {
    const { page, lines } = await open(board(), changed(board({ lines: [2, 1] })));
    begin(page);
    await page.advance(3_000);
    assert.equal(lines(), "Deal 1");
    end(page);
    await page.advance(1_000);
    assert.equal(lines(), "Deal 2,Deal 1");
  });
}

test("a page of another version, or one that this phone may not see any more, is loaded anew", async () => {
  for (const headers of [{ "X-Version": "2" }, { "X-Seen": null }]) {
    const { page } = await open(board(), changed(board(), headers));
    await page.advance(1_500);
    assert.ok(page.reloads > 0);
  }
});

test("a form is told what others did, in words that can be put away, and is not changed", async () => {
  const { page, find } = await open(FORM, changed("<p>Deal 1 written</p><button>OK</button>"));
  await page.advance(1_500);
  assert.equal(page.requests[0].url, "/en/m/abc/news?role=owner&since=3.0&own=3");
  assert.equal(find("#news p").textContent, "Deal 1 written");
  page.tap(find("#news button"));
  assert.equal(find("#news").textContent, "");
  await page.advance(2_000);
  assert.equal(page.requests.at(-1).url, "/en/m/abc/news?role=owner&since=4.0&own=3");
});

test("a form that was made anew by an answer is told no more of what that says itself", async () => {
  const { page, find } = await open(FORM, changed("<p>Deal 1 written</p><button>OK</button>"));
  await page.advance(1_500);
  find("[name=seq]").value = "4";
  page.document.dispatchEvent(new FakeEvent("page:exchanged"));
  assert.equal(find("#news").textContent, "");
});

test("it asks often at first, less often when nothing happens, and not while it is out of sight", async () => {
  const { page, show } = await open(board());
  const asked = async (ms) => {
    const before = page.requests.length;
    await page.advance(ms);
    return page.requests.length - before;
  };
  const early = await asked(20_000);
  assert.ok(early >= 6 && early <= 15, `${early}`);
  show("hidden");
  assert.ok((await asked(10_000)) <= 1);
  page.document.visibilityState = "visible";
  await page.advance(30 * 60_000);
  show("visible");
  const late = await asked(20_000);
  assert.ok(late >= 1 && late <= 3, `${late}`);
});

for (const [hindrance, most, answer] of [["no network", 7, () => Promise.reject(new TypeError())], ["a café", 25, () => new Response("welcome")]]) {
  test(`${hindrance}: the page stays, and asks less often; at once when there may be a network, then often again`, async () => {
    const { page, lines } = await open(board(), answer);
    await page.advance(60_000);
    const count = page.requests.length;
    assert.ok(count >= 3 && count <= most, `${count}`);
    assert.deepEqual([lines(), page.reloads], ["Deal 1", 0]);
    page.fetch = NOTHING;
    page.send("online");
    await settle();
    assert.equal(page.requests.length, count + 1);
    await page.advance(10_000);
    assert.ok(page.requests.length >= count + 6, `${page.requests.length - count}`);
  });
}
