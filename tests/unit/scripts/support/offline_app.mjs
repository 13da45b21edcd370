// The worker of the offline app, with a program in the place of Python, and the server that it delivers to.
import { gzipSync } from "node:zlib";
import { loadAll } from "./fresh.mjs";
import { settle } from "./page.mjs";
import { openWorker, SCOPE } from "./worker.mjs";

const zip = (() => { // an archive of no files
  const bytes = new Uint8Array(22);
  new DataView(bytes.buffer).setUint32(0, 0x06054b50, true);
  return bytes;
})();

/** What Python does: `log` says what it was asked, in order. */
export function makeProgram() {
  const program = {
    log: [], warming: 0, state: { unsent: 0, aside: 0, have: {}, cookies: {}, chosen: "" }, rows: [], events: [], starts: 0, memories: [], broken: null, given: null,
    pages: { "/en/m/abc": "the board, made here", "/en/offline": "not in this device", "/pl/offline": "nie ma" },
    count() {
      program.state.unsent = program.events.length;
      program.state.outgoing = program.events.map((event) => ({ path: "events", body: { event }, count: 1 }));
    },
    /** Something was recorded without network. */
    record(path) {
      program.events.push(path);
      program.count();
      program.rows.push([["events", program.events.length], path]);
    },
  };
  const bridge = {
    restore(text) { program.given = JSON.parse(text); },
    choose: (shown) => program.log.push(`choose ${shown}`),
    take_news: (text) => program.log.push(`news ${JSON.parse(text).n}`),
    take_state() {
      const { rows } = program;
      program.rows = [];
      return JSON.stringify({ rows, ...program.state });
    },
    next_delivery: () => (program.events.length ? JSON.stringify({ id: program.events[0], path: "events", body: { event: program.events[0] } }) : null),
    take_answer(id, status, text) {
      program.log.push(`answer ${id} ${status} ${text}`);
      if (status !== 200) return false;
      program.events.shift();
      program.count();
      return true;
    },
  };
  const handle = (method, url, body, headers) => {
    program.log.push(`${method} ${url.replace(SCOPE, "/")}`);
    program.headers = JSON.parse(headers);
    if (program.broken) throw program.broken;
    const { pathname } = new URL(url);
    if (method === "POST") program.record(new TextDecoder().decode(body));
    const page = method === "POST" ? "{}" : program.pages[pathname];
    const answer = pathname === "/" ? [302, [["Location", "/pl/"]], ""] : [page === undefined ? 404 : 200, [["Content-Type", "text/html"]], page ?? ""];
    return { toJs: () => [answer[0], JSON.stringify(answer[1]), new TextEncoder().encode(answer[2])], destroy() {} };
  };
  program.loadPyodide = async (options) => {
    program.starts++;
    program.memories.push(options._loadSnapshot ?? null);
    if (program.refuses?.(options)) throw new Error("no start");
    await options.createPyodideModule({});
    return {
      runPython(code) {
        if (code.startsWith("lambda")) return handle;
        if (code.includes("warm_up(")) program.log.push(`warm up ${/warm_up\((.*)\)/.exec(code)[1]}`);
        if (code.includes("start(") && !program.log.includes("start")) program.log.push("start");
        if (!code.startsWith("next(")) return undefined;
        program.log.push("page");
        program.onPage?.();
        return program.warming < 1 ? (program.warming += 0.5) : undefined;
      },
      globals: { get: () => bridge },
      makeMemorySnapshot: () => new Uint8Array([1, 2, 3]),
      FS: { mkdirTree() {}, writeFile() {} },
    };
  };
  return program;
}

/** The server, as the worker knows it: pages, news and what is delivered. */
export function makeServer() {
  const server = {
    mark: "me", version: "1", down: null, delivered: [], news: 0, asked: [], log: null, matches: [],
    file(path) {
      if (server.lacksFiles) return new Response("", { status: 404 });
      const [plain, packed] = path.split(".packed"), content = plain.endsWith(".zip") ? zip : "{}";
      return new Response(packed === undefined ? content : gzipSync(content));
    },
    async answer(request) {
      const { path, options, method } = request;
      if (server.down) return server.down(request);
      if (/^(pocket|static)\//.test(path)) return server.file(path);
      if (path === "offline/news") {
        server.asked.push(JSON.parse(options.body));
        const { mark: me, version, matches } = server;
        server.matches = [];
        return Response.json({ n: ++server.news, version, me, seed: { s: 1 }, token: "t", matches, gone: [], rulings: [], rulings_at: "r1", more: false });
      }
      if (path === "offline/events") {
        const refused = server.refuses?.(JSON.parse(options.body));
        if (refused) return new Response("no", { status: refused });
        server.delivered.push(JSON.parse(options.body).event);
        return Response.json({});
      }
      const headers = { "X-Version": server.version, "X-Browser": server.mark, "Content-Type": method === "POST" ? "application/json" : "text/html" };
      if (server.log) headers["X-Log"] = server.log;
      return new Response(method === "POST" ? JSON.stringify({ to: "/en/m/abc", seq: 9 }) : `the server's ${path}`, { headers });
    },
  };
  return server;
}

/** The worker of a device; what it stored before is in `caches` and IndexedDB. */
export async function openApp({ program = makeProgram(), server = makeServer(), caches, version = "1", build = "b1", installs = true, host = "worker", pages = [] } = {}) {
  const worker = openWorker({ caches, pages: [`${SCOPE}en/`] });
  worker.fetch = (request) => server.answer(request);
  console.warn = () => {};
  const [app] = await loadAll(`offline/app/${host}.js`);
  const files = [...["pyodide-lock.json", "stdlib.zip", "libs.zip", "app.zip"].map((name) => `pocket/${build}/${name}`), ...pages];
  app.begin({ build, version, files }, { loadPyodide: (options) => program.loadPyodide(options), createPyodideModule: async () => ({ HEAPU8: new Uint8Array(1), _malloc() {} }) });
  const install = installs ? await worker.event("install") : null;
  await install?.done;
  await settle();
  return { worker, program, server, app };
}

/** Makes ready what a first answer without network needs. */
export async function start(opened) {
  const said = await opened.worker.tell({ pocket: "start" });
  await settle();
  return said;
}
