import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../support/fresh.mjs";
import { openPage } from "../support/page.mjs";

const AT = new Date(2026, 0, 5, 18, 42);

for (const [lang, said] of [["en", "5 Jan 2026, 18:42"], ["pl", "5 sty 2026, 18:42"]]) {
  test(`a moment is said by its time today, else with its day: ${lang}`, async () => {
    openPage(`<html lang="${lang}"><body></body></html>`);
    const { formatTime } = await load("offline/times.js");
    assert.equal(formatTime(AT), said);
    assert.equal(formatTime(new Date().setHours(18, 42)), "18:42");
  });
}
