// Sends an entry with one request and returns its outcome.
/** @import { NewEntry, Outcome } from "./types.js" */
const TIMEOUT = 10_000; // milliseconds until the server counts as silent

/** @param {NewEntry} entry @param {string} [token] */
const ask = (entry, token) => {
  const fields = token ? entry.fields.map(([name, value]) => [name, name === "csrf_token" ? token : value]) : entry.fields;
  return fetch(entry.action, {
    method: "POST",
    headers: { "X-Script": "1" },
    body: new URLSearchParams(fields),
    signal: AbortSignal.timeout?.(TIMEOUT),
  });
};

/** @param {NewEntry} entry @returns {Promise<Outcome>} */
export async function post(entry) {
  try {
    let response = await ask(entry);
    const token = response.headers.get("X-Token");
    if (token) response = await ask(entry, token); // the form was made for an earlier session
    const { headers, status } = response;
    // A captive portal's page is no answer, nor is that of a server that fails or is not up yet.
    if (!headers.has("X-Version") || status >= 500 || status === 429) return await readDelay(response);
    if (headers.get("Content-Type")?.startsWith("application/json")) return { outcome: "written", ...(await response.json()) };
    // The browser is another identity's by now: the entry waits until its own is back.
    if (entry.mark !== "nobody" && headers.get("X-Browser") !== entry.mark) return { outcome: "silent" };
    return { outcome: "refused", status, html: await response.text() };
  } catch {
    return { outcome: "silent" };
  }
}

/** @param {Response} response @returns {Promise<Outcome>} */
async function readDelay(response) {
  const { headers, status } = response, seconds = Number(headers.get("Retry-After")); // our servers send no date
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const why = /** @type {HTMLElement | null} */ (page.querySelector("[data-why]"))?.dataset.why;
  return { outcome: "silent", failed: status === 500, until: seconds > 0 ? Date.now() + 1000 * seconds : undefined, isTooMuch: status === 429, why };
}
