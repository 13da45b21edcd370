import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { needsDatabase, openDevice } from "../support/database.mjs";
import { load, loadAll } from "../support/fresh.mjs";
import { dealForm, makeServer, noNetwork, openMatch, pageOf, saveDeal } from "../support/match.mjs";
import { openPage, settle } from "../support/page.mjs";

beforeEach(openDevice);
const check = (name, work) => test(name, needsDatabase, work);

const PARTS = `<p id="home-screen-line" data-home-screen="false" data-unless-waiting hidden><button>Not now</button></p><p id="first" data-home-screen="true" hidden></p>
  <p id="camera" data-home-screen="undefined false"></p>
  <section data-home-screen="false" hidden><p id="send-first" hidden><span data-said="{count} wait"></span><button>Try now</button></p>
  <p id="take-along"><button>Show a code</button></p></section>`;

/** A page with the hints, on a phone of which `standalone` is known, with so many entries that wait. */
async function open(standalone, waiting = 0) {
  const server = makeServer();
  server.fate = noNetwork;
  for (let n = 1; n <= waiting; n++) {
    const { page } = await openMatch(dealForm(), { server, worker: true });
    await saveDeal(page, String(n));
  }
  const page = openPage(pageOf(PARTS), { path: "/en/m/abc" });
  page.fetch = server.answer;
  if (standalone !== undefined) navigator.standalone = standalone;
  await loadAll("offline/home_screen.js");
  await settle();
  return { page, server };
}

test("the home screen is spoken of on phones that keep its apps apart, by what the browser says of itself", async () => {
  for (const [standalone, shown] of [[undefined, ["camera"]], [false, ["home-screen-line", "camera"]], [true, ["first"]]]) {
    const { page } = await open(standalone);
    assert.deepEqual(["home-screen-line", "first", "camera"].filter((id) => !page.find(`#${id}`).hidden), shown);
  }
});

test("who says not now is not asked again", async () => {
  const { page } = await open(false);
  page.tap(page.find("#home-screen-line button"));
  assert.ok(page.find("#home-screen-line").hidden);
  assert.equal(localStorage.getItem("home-screen-declined"), "1");
});

check("what waits is sent first, for it would stay behind", async () => {
  const { page, server } = await open(false, 2);
  const code = page.find("#take-along button"), first = page.find("#send-first");
  assert.deepEqual([first.hidden, code.disabled], [false, true]);
  assert.equal(page.find("[data-said]").textContent, "2 wait");
  server.fate = null;
  page.tap(first.querySelector("button"));
  await settle();
  assert.deepEqual([first.hidden, code.disabled], [true, false]);
});

const RISK = '<p id="at-risk" hidden data-week="{count} for a week" data-passes="{count} while there is space"></p>';

for (const [standalone, persisted, text] of [
  [false, true, "1 for a week"], [undefined, false, "1 while there is space"], [undefined, true, ""], [true, true, ""], [undefined, undefined, ""],
]) {
  check(`a board says what may be deleted: on the home screen ${standalone}, lasting ${persisted}`, async () => {
    const server = makeServer();
    server.fate = noNetwork;
    await saveDeal((await openMatch(dealForm(), { server, worker: true })).page, "80");
    const page = openPage(pageOf(RISK), { path: "/en/m/abc" });
    Object.assign(navigator, { standalone, storage: persisted === undefined ? {} : { persisted: async () => persisted } });
    await load("offline/risk.js");
    await settle();
    const place = page.find("#at-risk");
    assert.deepEqual([place.textContent, place.hidden], [text, text === ""]);
  });
}

check("nothing is said where nothing waits", async () => {
  const page = openPage(pageOf(RISK), { path: "/en/m/abc" });
  navigator.standalone = false;
  await load("offline/risk.js");
  await settle();
  assert.ok(page.find("#at-risk").hidden);
});
