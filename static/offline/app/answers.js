// What was answered, as browsers want it and as the worker reads it; nothing here knows whose it is.

// An answer of the program, to a request of a page.
export function toResponse(answer, method, url) {
  if ([301, 302, 303, 307, 308].includes(answer.status)) {
    const [, place] = answer.headers.find(([name]) => name.toLowerCase() === "location");
    return Response.redirect(new URL(place, url), answer.status);
  }
  const isEmpty = method === "HEAD" || [204, 205, 304].includes(answer.status);
  return new Response(isEmpty ? null : answer.content, { status: answer.status, headers: answer.headers });
}

export const isOfApp = (answer) => answer.headers.has("X-Version") || answer.type === "opaqueredirect";

// What a form that was carried out led to: where, and how long the log is with what it wrote, as far as that is said.
// Null of one that changed nothing: a preview, or one that was refused. A server that failed may have written before.
export async function readOutcome(answer) {
  if (answer.type === "opaqueredirect" || answer.redirected || answer.status >= 500) return {};
  return answer.headers.get("Content-Type")?.startsWith("application/json") ? answer.clone().json() : null;
}

// What was chosen in the phone since the server told how it shows pages: the address by which one chooses it there, from
// a page in the language that was told. Null where that is nothing, or the server has told something else since then.
// `cookies` are those of the program, `told` what it was told, `shown` what the server said last.
export function findChoice({ cookies = {}, chosen: told, shown }) {
  if (!shown || told !== shown) return null;
  const held = Object.fromEntries(Object.entries(cookies).map(([name, one]) => [name.replace("__Host-", "").split(".")[0], one]));
  const said = new URLSearchParams(shown), lang = held.lang ?? said.get("lang"), paper = held.paper ?? "";
  if (lang === said.get("lang") && paper === said.get("paper")) return null;
  return { path: `${lang}/paper/${paper || "auto"}?next=/${lang}/manifest.webmanifest`, from: `${said.get("lang")}/` };
}
