import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import { test } from "node:test";
import { load } from "../support/fresh.mjs";
import { openPage, settle } from "../support/page.mjs";

const FORM = `<form id="take-in" data-titles="{&quot;derda&quot;:&quot;Derda&quot;}"><section id="preview" hidden><p><span class="standing"></span>
  <span class="facts" data-entries="Entries: {n}"></span></p></section><div class="field"><textarea id="link" name="link"></textarea>
  <p id="link-error" data-damaged="damaged" hidden><span></span></p></div></form><div class="actions"><button form="take-in">Yes</button></div>`;
const GIVEN = { shown: { sides: [["<b>Ewa</b>", 82], ["Jan", 65]], entries: 3 }, record: { game: "derda" } };
const pack = (given) => `#give=${deflateSync(JSON.stringify(given)).toString("base64url")}`;

async function open(path, typed = "") {
  const page = openPage(FORM, { path });
  page.window.DecompressionStream = DecompressionStream;
  const field = page.find("#link");
  field.value = typed;
  await load("archives/given.js");
  const wait = async () => { for (let n = 0; n < 5; n++) await settle(); };
  await wait();
  return {
    page, field, wait,
    shown: () => !page.find("#preview").hidden && [page.find(".standing").textContent, page.find(".facts").textContent],
    fault: () => !page.find("#link-error").hidden && page.find("#link-error").textContent.trim(),
    mayTake: () => !page.find(".actions").hidden,
  };
}

test("what came by a link is shown, and nothing is asked of a server", async () => {
  const { page, field, shown, fault, mayTake } = await open(`/en/given${pack(GIVEN)}`);
  assert.deepEqual(shown(), ["<b>Ewa</b> 82Jan 65", "Derda · Entries: 3"]);
  assert.deepEqual([fault(), mayTake(), field.value, field.parentElement.hidden], [false, true, `https://club.example/en/given${pack(GIVEN)}`, true]);
  assert.deepEqual(page.requests, []);
});

test("a game that is not here is named as the link does", async () => {
  const { shown } = await open(`/en/given${pack({ ...GIVEN, record: { game: "whist" } })}`);
  assert.equal(shown()[1], "whist · Entries: 3");
});

for (const [what, link] of [["cut off", pack(GIVEN).slice(0, -3)], ["no match at all", pack({ record: {} })], ["not packed", "#give=AAAA"]]) {
  test(`a link that is ${what} says so, stays, and cannot be taken in`, async () => {
    const { field, shown, fault, mayTake } = await open(`/en/given${link}`);
    assert.deepEqual([shown(), fault(), mayTake(), field.parentElement.hidden], [false, "damaged", false, false]);
    assert.ok(field.value.endsWith(link));
  });
}

test("without a link one is asked for; pasted it is shown, changed it is said to be damaged", async () => {
  const { page, field, shown, fault, mayTake, wait } = await open("/en/given");
  assert.deepEqual([shown(), fault(), mayTake()], [false, false, false]);
  page.type(field, `Look: https://club.example/${pack(GIVEN)}`);
  await wait();
  assert.deepEqual([fault(), mayTake(), field.parentElement.hidden], [false, true, false]);
  page.type(field, "something else");
  await wait();
  assert.deepEqual([shown(), fault(), mayTake()], [false, "damaged", false]);
});
