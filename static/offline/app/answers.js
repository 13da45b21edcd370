// Answers of the program and of the server, converted and read; nothing here knows an identity.

/** @import { Answer, Known } from "../types.js" */

// Converts the program's answer to a request into a Response.
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

// Reads where a form led and how long the log is with what it wrote, as far as the answer says. Null if it wrote nothing (a
// preview, a refusal); a server that failed may have written before.
/** @param {Response} answer @returns {Promise<{to?: string, seq?: number} | null>} */
export async function readOutcome(answer) {
  if (answer.type === "opaqueredirect" || answer.redirected || answer.status >= 500) return {};
  return answer.headers.get("Content-Type")?.startsWith("application/json") ? answer.clone().json() : null;
}

// Finds display settings that were chosen on the device since the server announced its own: the address that sets them there,
// and the page to come from. Null if there are none, or the server has announced others since. `chosen` is what the program
// was given, `shown` what the server announced last.
/** @param {Known} known */
export function findChoice({ cookies = {}, chosen, shown }) {
  if (!shown || chosen !== shown) return null;
  const own = Object.fromEntries(Object.entries(cookies).map(([name, value]) => [name.replace("__Host-", "").split(".")[0], value]));
  const server = new URLSearchParams(shown), lang = own.lang ?? server.get("lang"), paper = own.paper ?? "";
  if (lang === server.get("lang") && paper === server.get("paper")) return null;
  return { path: `${lang}/paper/${paper || "auto"}?next=/${lang}/manifest.webmanifest`, from: `${server.get("lang")}/` };
}
