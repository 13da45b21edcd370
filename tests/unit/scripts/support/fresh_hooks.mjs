// What a script of one page imports belongs to the same page. Counts the modules that are being loaded, and all so far.
let counts;

export const initialize = (shared) => { counts = shared; };

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  const page = /\/static\/.*\?page=(\d+)$/.exec(context.parentURL ?? "")?.[1];
  if (!page || found.url.includes("?")) return found;
  return { ...found, url: `${found.url}?page=${page}` };
}

export async function load(url, context, next) {
  if (url.startsWith("data:")) return next(url, context);
  for (const count of [0, 1]) Atomics.add(counts, count, 1);
  try {
    return await next(url, context);
  } finally {
    Atomics.sub(counts, 0, 1);
  }
}
