import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../support/fresh.mjs";
import { openPage } from "../support/page.mjs";

const FORM = `<form id="f" method="post">
  <input type="hidden" name="csrf_token" value="t"><input type="hidden" name="form_key" value="k"><input type="hidden" name="seq" value="3">
  <label><input type="radio" name="bid" value="a"> Ewa <b>♥</b></label><label><input type="radio" name="bid" value="b" checked> Jan</label>
  <input type="checkbox" name="out" value="1" aria-label="first"><input type="checkbox" name="out" value="2" aria-label="second">
  <input name="points" value="10"><input name="points" value="20"><textarea name="note"></textarea>
  <select name="way"><option value="x" selected>x</option><option value="y">y</option></select>
  <details><input name="hidden-fold" value="z"></details><details open><input name="fold" value="w"></details>
  <button name="do" value="save" class="primary">Save</button><button name="do" value="later">For later</button>
</form>`;

const open = async () => {
  const page = openPage(FORM);
  return { page, form: page.find("#f"), fields: await load("offline/fields.js") };
};

test("fields are read as they would be sent, with the button that was tapped", async () => {
  const { page, form, fields } = await open();
  const read = fields.readFields(form, page.find("[value=later]"));
  assert.deepEqual(read.slice(0, 4), [["csrf_token", "t"], ["form_key", "k"], ["seq", "3"], ["bid", "b"]]);
  assert.deepEqual(read.at(-1), ["do", "later"]);
  assert.ok(!read.some(([name]) => name === "out"));
});

test("what is carried along was not typed", async () => {
  const { form, fields } = await open();
  assert.equal(fields.withoutCarried(fields.readFields(form))[0][0], "bid");
});

test("fields written back are read the same, but for the token", async () => {
  const { form, fields } = await open();
  const typed = [["csrf_token", "old"], ["form_key", "k2"], ["seq", "5"], ["bid", "a"], ["out", "2"], ["points", "1"], ["points", "2"], ["note", "n"], ["way", "y"], ["hidden-fold", "z"], ["fold", ""]];
  fields.writeFields(form, typed);
  assert.deepEqual(fields.readFields(form), [["csrf_token", "t"], ...typed.slice(1)]);
});

test("what is not among the fields: ticks are off, texts and choices of a list stay as they came", async () => {
  const { page, form, fields } = await open();
  page.find("[aria-label=first]").checked = true;
  fields.writeFields(form, []);
  assert.deepEqual(fields.withoutCarried(fields.readFields(form)).map(([name]) => name), ["points", "points", "note", "way", "hidden-fold", "fold"]);
  assert.equal(form.elements.way.value, "x");
  assert.equal(page.find("[name=points]").value, "10");
});

test("a renewed form is another entry", async () => {
  const { form, fields } = await open();
  fields.renewKey(form);
  const first = form.elements.form_key.value;
  fields.renewKey(form);
  assert.match(first, /^[\w-]{16}$/);
  assert.notEqual(form.elements.form_key.value, first);
});

test("an entry is described by what was chosen and typed, in view", async () => {
  const { page, form, fields } = await open();
  page.find("[value=a]").checked = true;
  page.find("[aria-label=second]").checked = true;
  assert.equal(fields.describe(form, page.find("[value=save]")), "Ewa ♥ · second · 10 · 20 · x · w");
  assert.equal(fields.describe(form, page.find("[value=later]")), "For later · Ewa ♥ · second · 10 · 20 · x · w");
  page.find("[value=later]").setAttribute("aria-label", "keep it");
  assert.equal(fields.describe(form, page.find("[value=later]")), "keep it · Ewa ♥ · second · 10 · 20 · x · w");
  page.find("textarea").value = "long ".repeat(100);
  assert.equal(fields.describe(form, null).length, 120);
});
