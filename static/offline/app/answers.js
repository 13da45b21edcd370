// What was answered, as browsers want it and as the worker reads it; nothing here knows whose it is.

/** @import { Answer, Known } from "../types.js" */

// An answer of the program, to a request of a page.
/** @param {Answer} answer @param {string} method @param {string} url */
export function toResponse(answer, method, url) {
  if ([301, 302, 303, 307, 308].includes(answer.status)) {
    const [, place = ""] = answer.headers.find(([name]) => name.toLowerCase() === "location") ?? [];
    return Response.redirect(new URL(place, url), answer.status);
  }
  const isEmpty = method === "HEAD" || [204, 205, 304].includes(answer.status);
  return new Response(isEmpty ? null : answer.content, { status: answer.status, headers: answer.headers });
}

/** @param {Response} answer */
export const isOfApp = (answer) => answer.headers.has("X-Version") || answer.type === "opaqueredirect";

// What a form that was carried out led to: where, and how long the log is with what it wrote, as far as that is said.
// Null of one that changed nothing: a preview, or one that was refused. A server that failed may have written before.
/** @param {Response} answer @returns {Promise<{to?: string, seq?: number} | null>} */
export async function readOutcome(answer) {
  if (answer.type === "opaqueredirect" || answer.redirected || answer.status >= 500) return {};
  return answer.headers.get("Content-Type")?.startsWith("application/json") ? answer.clone().json() : null;
}

// What was chosen in the device since the server announced how it shows pages: the address by which one chooses it there,
// from a page in the language that was announced. Null where that is nothing, or the server has announced something else
// since then. `chosen` is what the program was given, `shown` what the server announced last.
/** @param {Known} known */
export function findChoice({ cookies = {}, chosen, shown }) {
  if (!shown || chosen !== shown) return null;
  const own = Object.fromEntries(Object.entries(cookies).map(([name, value]) => [name.replace("__Host-", "").split(".")[0], value]));
  const server = new URLSearchParams(shown), lang = own.lang ?? server.get("lang"), paper = own.paper ?? "";
  if (lang === server.get("lang") && paper === server.get("paper")) return null;
  return { path: `${lang}/paper/${paper || "auto"}?next=/${lang}/manifest.webmanifest`, from: `${server.get("lang")}/` };
}
