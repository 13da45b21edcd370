// The fields of a form: read as they would be sent, written back, described in words.
/** @import { Field } from "./types.js" */
/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement | HTMLButtonElement} Control */
/** @typedef {HTMLButtonElement | HTMLInputElement} Button */

const CARRIED = new Set(["csrf_token", "form_key", "seq"]);

/** @param {HTMLFormElement} form */
export const controlsOf = (form) => /** @type {Control[]} */ ([...form.elements]);

/** @param {HTMLFormElement | null} form @param {string} name */
export const fieldOf = (form, name) => /** @type {HTMLInputElement | null | undefined} */ (form?.elements.namedItem(name));

/** @param {HTMLFormElement} form @param {Button | null} submitter @returns {Field[]} */
export function readFields(form, submitter = null) {
  const fields = /** @type {Field[]} */ ([...new FormData(form)].filter(([, value]) => typeof value === "string"));
  return submitter?.name ? [...fields, [submitter.name, submitter.value]] : fields;
}

// Only the fields that a player typed or chose.
/** @param {Field[]} fields */
export const withoutCarried = (fields) => fields.filter(([name]) => !CARRIED.has(name));

/** @param {Control} control @returns {control is HTMLInputElement} */
const isSwitch = (control) => control.type === "radio" || control.type === "checkbox";

/** @param {HTMLFormElement} form @param {Field[]} fields */
export function writeFields(form, fields) {
  /** @type {Map<string, string[]>} */
  const values = new Map();
  for (const [name, value] of fields) values.set(name, [...(values.get(name) ?? []), value]);
  for (const control of controlsOf(form)) {
    if (control.name && control.name !== "csrf_token" && control.type !== "submit" && control.type !== "button") writeField(control, values.get(control.name));
  }
}

/** @param {Control} control @param {string[]} [given] */
function writeField(control, given) {
  if (isSwitch(control)) control.checked = given?.includes(control.value) ?? false;
  else if ("options" in control && control.options) for (const option of control.options) option.selected = given?.includes(option.value) ?? option.defaultSelected;
  else if (given?.length) control.value = given.shift() ?? "";
}

const freshKey = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(12)))).replaceAll("+", "-").replaceAll("/", "_");

// Makes the form a new one: sent again with the same contents, it is a second entry.
/** @param {HTMLFormElement} form */
export function renewKey(form) {
  const key = fieldOf(form, "form_key");
  if (key) key.value = freshKey();
}

// What was chosen and typed, for the line of a waiting entry: "Ewa ♥ · 90 · 72".
/** @param {HTMLFormElement} form @param {Button | null} submitter */
export function describe(form, submitter) {
  const words = controlsOf(form).filter(isInView).map(describeField);
  const tapped = submitter?.name && !submitter.matches(".primary, [data-key]") ? submitter.getAttribute("aria-label") ?? submitter.textContent?.trim() : "";
  return [tapped, ...words].filter(Boolean).join(" · ").replace(/\s+/g, " ").slice(0, 120);
}

/** @param {Control} control */
const isInView = (control) => control.type !== "hidden" && control.name && control.value && control.offsetParent && !control.closest("details:not([open])");

/** @param {Control} control */
function describeField(control) {
  if (!isSwitch(control)) return control.matches("input, textarea, select") ? control.value.trim() : "";
  return control.checked ? control.getAttribute("aria-label") ?? control.closest("label")?.textContent?.trim() : "";
}
