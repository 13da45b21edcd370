import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../support/fresh.mjs";
import { openPage, reply, settle } from "../support/page.mjs";

const form = ({ heading = "Ewa attacks Jan", alert = "", order = "" } = {}) => `<form id="follow" method="post" action="/en/m/abc/hand/follow" data-offline="offline" data-unanswered="no answer">
  <input type="hidden" name="form_key" value="k"><p class="not-sent" hidden><span></span><button type="button" data-again>again</button></p>
  ${alert}<h1>${heading}</h1><div class="taps" data-order="${order}">${["A", "B", "C"].map((seat) => `<label class="choice"><input type="checkbox" name="out" value="${seat}"${order.includes(seat) ? " checked" : ""}></label>`).join("")}</div>
  ${["beaten-off", "trump:H", "look"].map((action) => `<div class="row"><button name="do" value="${action}">x</button></div>`).join("")}
  <div class="dock"><button class="primary" name="do" value="lost:B">lost</button></div></form>`;

async function open(answer = () => reply(form({ heading: "Jan attacks Ewa" })), options = {}) {
  const page = openPage(`<p id="heard"></p>${form(options)}`);
  const scrolled = [], submitted = [], heard = [];
  page.fetch = answer;
  Object.assign(globalThis, { scrollY: 300, scrollTo: ({ top }) => scrolled.push(top), submitted });
  for (const name of ["form:written", "form:exchanged"]) page.document.addEventListener(name, () => heard.push(name));
  await load("hands/follow.js");
  const tap = async (action) => {
    page.find("#follow").requestSubmit(page.find(`button[value="${action}"]`));
    await settle();
  };
  return { page, tap, scrolled, submitted, heard, heading: () => page.find("h1").textContent };
}
const sent = ({ requests }) => requests.map(({ fields }) => fields.find(([name]) => name === "do")[1]);
const marks = (page) => page.document.querySelectorAll(".choice").map(({ dataset }) => dataset.nth ?? "-").join("");
const tick = (page, seat, on = true) => page.choose(page.find(`[value="${seat}"]`), on);

test("a tap is carried out by the server; its form takes the place of this one, and is read out", async () => {
  const { page, tap, heading, heard } = await open();
  await tap("beaten-off");
  assert.deepEqual(sent(page), ["beaten-off"]);
  assert.equal(page.requests[0].headers["X-Part"], "form");
  assert.equal(heading(), "Jan attacks Ewa");
  assert.equal(page.find("#heard").textContent, "Jan attacks Ewa");
  assert.equal(page.document.activeElement.value, "beaten-off");
  assert.deepEqual(heard, ["form:written"]);
});

test("a second tap while the first is on its way is none; the next one after it is", async () => {
  const { page, tap } = await open();
  page.find("#follow").requestSubmit(page.find("[value=beaten-off]"));
  await tap("beaten-off");
  assert.equal(page.requests.length, 1);
  await tap("beaten-off");
  assert.equal(page.requests.length, 2);
});

test("whose turn it is stands at the top; what was tapped further down stays under the finger", async () => {
  const { tap, scrolled } = await open();
  await tap("beaten-off");
  await tap("trump:H");
  assert.deepEqual(scrolled, [0, 300]);
});

test("what ends the hand is sent by the form itself", async () => {
  const { page, tap } = await open();
  await tap("lost:B");
  assert.equal(page.requests.length, 0);
});

test("a refusal is on the page as no success", async () => {
  const { tap, heard } = await open(() => reply(form({ alert: '<p role="alert">no</p>' }), { status: 422 }));
  await tap("beaten-off");
  assert.deepEqual(heard, ["form:exchanged"]);
});

test("players go out in the order of the ticks, which is shown and sent", async () => {
  const { page, tap } = await open();
  tick(page, "C");
  assert.equal(marks(page), "---");
  tick(page, "A");
  tick(page, "B");
  tick(page, "A", false);
  assert.equal(marks(page), "-21");
  await tap("beaten-off");
  assert.deepEqual(page.requests[0].fields.filter(([name]) => name === "out").map(([, seat]) => seat), ["C", "B"]);
});

test("the order that the server says is begun with; a tick that the browser kept comes after it", async () => {
  const { page } = await open(undefined, { order: "C B" });
  assert.equal(marks(page), "-21");
  page.find('[value="A"]').checked = true;
  page.send("pageshow");
  assert.equal(marks(page), "321");
});

for (const [hindrance, answer] of Object.entries({
  "no network": () => Promise.reject(new TypeError()),
  "a café": () => new Response("welcome"),
  "a server that fails": () => reply("broken", { status: 500 }),
  "too much": () => reply("slow down", { status: 429 }),
})) {
  test(`${hindrance}: it says so beside the button, and the tap is sent again by a tap or by the network`, async () => {
    const { page, tap, heading, submitted } = await open(answer);
    await tap("beaten-off");
    const notice = page.find(".not-sent");
    assert.equal(notice.hidden, false);
    assert.equal(notice.previousElementSibling.firstElementChild.value, "beaten-off");
    assert.equal(notice.querySelector("span").textContent, "no answer");
    page.tap(page.find("[data-again]"));
    await settle();
    page.fetch = () => reply(form({ heading: "on" }));
    page.send("online");
    await settle();
    assert.deepEqual(sent(page), ["beaten-off", "beaten-off", "beaten-off"]);
    assert.equal(heading(), "on");
    page.send("online");
    await settle();
    assert.equal(page.requests.length, 3);
    assert.deepEqual(submitted, []);
  });
}

test("what was ticked since is not sent by itself", async () => {
  const { page, tap } = await open(() => Promise.reject(new TypeError()));
  page.online = false;
  await tap("beaten-off");
  assert.equal(page.find(".not-sent span").textContent, "offline");
  tick(page, "A");
  page.send("online");
  await settle();
  assert.equal(page.requests.length, 1);
});

test("no answer in ten seconds is none", async () => {
  const { page, tap } = await open(({ signal }) => new Promise((_resolve, reject) => signal.addEventListener("abort", reject)));
  await tap("beaten-off");
  await page.advance(8_000);
  assert.equal(page.find(".not-sent").hidden, true);
  await page.advance(3_000);
  assert.equal(page.find(".not-sent").hidden, false);
});

test("an answer that is no form is left to the server to say", async () => {
  const { tap, submitted } = await open(() => reply("elsewhere"));
  await tap("beaten-off");
  assert.equal(submitted.length, 1);
  assert.equal(submitted[0].lastElementChild.value, "beaten-off");
});
