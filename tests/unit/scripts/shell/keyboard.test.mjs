import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeEvent, Target } from "../support/dom.mjs";
import { load } from "../support/fresh.mjs";
import { openPage } from "../support/page.mjs";

/** A page of 800 pixels with a keyboard that covers some of them; gives how the bar of actions is moved. */
async function cover(covered, { position = "sticky", scale = 1, offsetTop = 0 } = {}) {
  const page = openPage('<html><body><main id="main"><div class="actions"><button>Save</button></div></main></body></html>');
  const seen = Object.assign(new Target(), { scale, offsetTop, height: 800 });
  window.visualViewport = seen;
  const bar = page.find(".actions");
  bar.style.position = position;
  await load("shell/keyboard.js");
  const move = (height) => {
    seen.height = height;
    seen.dispatchEvent(new FakeEvent("resize"));
    return bar.style.transform;
  };
  return [move(800 - covered), move(800)];
}

test("the bar of actions stands above a keyboard that lies over the page, until that goes", async () => {
  assert.deepEqual(await cover(300), ["translateY(-300px)", ""]);
});

test("a page that the browser has moved up by itself is moved no further than it has to be", async () => {
  assert.deepEqual((await cover(300, { offsetTop: 120 }))[0], "translateY(-180px)");
});

test("a bar that scrolls with its page, and a page that is magnified, stay as they are", async () => {
  assert.deepEqual(await cover(300, { position: "static" }), ["", ""]);
  assert.deepEqual(await cover(300, { scale: 2 }), ["", ""]);
});

test("a browser that does not say what is covered, and a page without actions, are left alone", async () => {
  openPage("<html><body><main></main></body></html>");
  await load("shell/keyboard.js");
});
