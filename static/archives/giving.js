// A match in a link: JSON, deflate, base64url, as `companion.archives.giving` packs it.

// Reads what a link, or a text with one in it, holds: `shown`, and the `record`. Rejects if it is damaged or not whole.
/** @param {string} link */
export async function readGiven(link) {
  const packed = /#give=([\w-]+)/.exec(link)?.[1] ?? "";
  const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(unpacked).text());
}
