import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../support/fresh.mjs";
import { openPage } from "../support/page.mjs";

const FORM = `<p id="no-network" hidden></p><form id="take-in" method="post" data-most="1"><div class="field"><input type="file" name="file">
  <p id="file-error" data-too-large="too large" hidden><span></span></p></div><button>Look</button></form>`;

async function openWith(html, ...sizes) {
  const page = openPage(html);
  page.find("[name=file]").files = sizes.map((size) => ({ size }));
  await load("archives/choose.js");
  const send = () => {
    let isStopped;
    page.window.addEventListener("submit", (event) => { isStopped = event.defaultPrevented; });
    page.find("form").requestSubmit();
    return !isStopped;
  };
  return { page, send, fault: page.find("#file-error") };
}
const open = (...sizes) => openWith(FORM, ...sizes);

test("files that are too large together are said to be so when they are chosen, and not sent", async () => {
  const { page, send, fault } = await open(2 ** 19, 2 ** 19 + 1);
  page.choose(page.find("[name=file]"));
  assert.deepEqual([fault.hidden, fault.textContent.trim()], [false, "too large"]);
  assert.equal(send(), false);
});

test("files that have room are sent", async () => {
  const { page, send, fault } = await open(2 ** 19, 2 ** 19);
  page.choose(page.find("[name=file]"));
  assert.equal(fault.hidden, true);
  assert.equal(send(), true);
});

test("without network nothing is sent, and it says so until there is one", async () => {
  const { page, send } = await open(1);
  page.online = false;
  page.send("offline");
  assert.equal(page.find("#no-network").hidden, false);
  assert.equal(send(), false);
  page.online = true;
  page.send("online");
  assert.equal(page.find("#no-network").hidden, true);
});

test("a phone alone needs none", async () => {
  const { page, send } = await openWith(FORM.slice(FORM.indexOf("<form")), 1);
  page.online = false;
  assert.equal(send(), true);
});
