// What a script of one page imports belongs to the same page.
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  const page = /\/static\/.*\?page=(\d+)$/.exec(context.parentURL ?? "")?.[1];
  if (!page || found.url.includes("?")) return found;
  return { ...found, url: `${found.url}?page=${page}` };
}
