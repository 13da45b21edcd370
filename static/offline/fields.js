// The fields of a form: read as they would be sent, written back, described in words.
const CARRIED = new Set(["csrf_token", "form_key", "seq"]);

export function readFields(form, submitter = null) {
  const fields = [...new FormData(form)].filter(([, value]) => typeof value === "string");
  return submitter?.name ? [...fields, [submitter.name, submitter.value]] : fields;
}

// Only what a player typed or chose.
export const withoutCarried = (fields) => fields.filter(([name]) => !CARRIED.has(name));

export function writeFields(form, fields) {
  const values = new Map();
  for (const [name, value] of fields) values.set(name, [...(values.get(name) ?? []), value]);
  for (const element of form.elements) {
    if (!element.name || element.name === "csrf_token" || element.type === "submit" || element.type === "button") continue;
    const given = values.get(element.name);
    if (element.type === "radio" || element.type === "checkbox") element.checked = given?.includes(element.value) ?? false;
    else if (element.tagName === "SELECT") for (const option of element.options) option.selected = given?.includes(option.value) ?? option.defaultSelected;
    else if (given?.length) element.value = given.shift();
  }
}

export const freshKey = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(12)))).replaceAll("+", "-").replaceAll("/", "_");

// From here on the form is another one: sent with the same in it, it is a second entry.
export function renewKey(form) {
  if (form.elements.form_key) form.elements.form_key.value = freshKey();
}

// What was chosen and typed, for the line of a waiting entry: "Ewa ♥ · 90 · 72".
export function describe(form, submitter) {
  const said = [];
  for (const element of form.elements) {
    if (element.type === "hidden" || !element.name || !element.value || !element.offsetParent || element.closest("details:not([open])")) continue;
    if (element.type === "radio" || element.type === "checkbox") {
      const label = element.closest("label");
      if (element.checked) said.push(element.getAttribute("aria-label") ?? label?.textContent.trim());
    } else if (element.matches("input, textarea, select")) said.push(element.value.trim());
  }
  const tapped = submitter?.name && !submitter.matches(".primary, [data-key]") ? submitter.textContent.trim() : "";
  return [tapped, ...said].filter(Boolean).join(" · ").replace(/\s+/g, " ").slice(0, 120);
}
