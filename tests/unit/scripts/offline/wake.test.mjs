import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../support/fresh.mjs";
import { openPage } from "../support/page.mjs";

test("where a screen cannot be kept on there is no switch", async () => {
  for (const change of [() => {}, () => { navigator.wakeLock = {}; window.isSecureContext = false; }]) {
    const page = openPage('<html><body><template id="awake-switch"><input id="awake"></template></body></html>');
    change();
    await load("offline/wake.js");
    assert.ok(page.find("template#awake-switch"));
  }
});
