import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../support/fresh.mjs";
import { openPage } from "../support/page.mjs";

/** A page of 800 pixels, of which a browser shows a part; gives how high its bar is raised. */
async function raise(seen) {
  const page = openPage("<html><body></body></html>"), listeners = [], said = {};
  page.document.documentElement.style.setProperty = (name, value) => { said[name] = value; };
  window.visualViewport = seen && { ...seen, addEventListener: (_type, work) => listeners.push(work) };
  await load("matches/above_keyboard.js");
  for (const work of listeners) work();
  return said["--covered"];
}

test("the bar is raised above a keyboard that covers the page", async () => {
  assert.equal(await raise({ height: 450, offsetTop: 0, scale: 1 }), "350px");
  assert.equal(await raise({ height: 450, offsetTop: 120, scale: 1 }), "230px"); // the page was moved up
});

test("it stays where the page is as high as what is seen, or only enlarged", async () => {
  assert.equal(await raise({ height: 800, offsetTop: 0, scale: 1 }), "0px");
  assert.equal(await raise({ height: 400, offsetTop: 0, scale: 2 }), "0px");
  assert.equal(await raise(undefined), undefined);
});
