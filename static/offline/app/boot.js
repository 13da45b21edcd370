// Starts Python with the app in it: from the snapshot of an earlier start on this phone, or from the files.
import { drop, find, keep } from "./files.js";

/** @import { Kit, Program, Pyodide } from "../types.js" */

const APP = "/app";
const ARCHIVES = ["libs.zip", "app.zip"];
const ADDED = ["host-games.json", "demo.json"]; // by a host: games of its own, matches to look at
// In steps: some browsers give up a worker that is busy for very long.
/** @param {Kit} kit */
const listSteps = ({ host }) => [
  `import sys; sys.path.insert(0, "${APP}")`,
  "import flask, flask_babel, flask_wtf",
  "import companion.library",
  "import companion.sheets",
  "import companion.web.parts",
  `from companion.offline_app.bridge import start; bridge = start("${APP}", "${host}")`,
];
const MAX_ATTEMPTS = 3; // to make a snapshot; each may have been too much for this phone
const GLUE = "lambda method, url, body, headers: bridge.handle(method, url, body.to_bytes(), headers)";
/** @param {Kit} kit */
const snapshotOf = ({ base }) => `${base}snapshot`;
/** @param {Kit} kit */
const attemptsOf = ({ base }) => `${base}attempts`;

// Thrown when a snapshot is given up because a request waits.
export class Interrupted extends Error {}
const rest = () => new Promise((resolve) => setTimeout(resolve, 0));

// Returns the program: `call(name, ...arguments)` asks the bridge, `handle` answers a request. A useless snapshot is
// deleted. `onStep` is called at each step.
/** @param {Kit} kit @param {() => void} onStep @returns {Promise<Program>} */
export async function boot(kit, onStep) {
  const memory = await find(kit, snapshotOf(kit));
  if (memory) {
    try {
      return connect(await load(kit, new Uint8Array(await memory.arrayBuffer())));
    } catch (error) {
      console.warn("the snapshot is of no use", error);
      await drop(kit, snapshotOf(kit));
    }
  }
  const python = await load(kit);
  onStep();
  await begin(kit, python, async () => {
    onStep();
    await rest();
  });
  return connect(python);
}

/** @param {Kit} kit @param {Pyodide} python @param {() => unknown} pause */
async function begin(kit, python, pause) {
  for (const step of listSteps(kit)) {
    python.runPython(step);
    await pause();
  }
}

/** @param {Kit} kit */
const countAttempts = async (kit) => Number(await (await find(kit, attemptsOf(kit)))?.text()) || 0;

// True if there is no snapshot yet and another attempt may be made.
/** @param {Kit} kit */
export const wantsSnapshot = async (kit, isAsked = false) => !(await find(kit, snapshotOf(kit))) && (isAsked || (await countAttempts(kit)) < MAX_ATTEMPTS);

// Stores a snapshot for later starts, of a program that has made pages of all kinds and has no identity. Unasked it is tried
// a few times only; an attempt is counted before it begins, because the browser may end the worker for it.
/** @param {Kit} kit @param {(share: number) => void} onProgress called after each step with the share done; may throw Interrupted */
export async function makeSnapshot(kit, onProgress, isAsked = true) {
  if (!(await wantsSnapshot(kit, isAsked))) return;
  const attempts = await countAttempts(kit);
  await keep(kit, attemptsOf(kit), String(attempts + 1));
  try {
    await keep(kit, snapshotOf(kit), await warmUp(kit, onProgress));
  } catch (error) {
    if (error instanceof Interrupted) await keep(kit, attemptsOf(kit), String(attempts));
    throw error;
  }
  await drop(kit, attemptsOf(kit));
}

/** @param {Kit} kit @param {(share: number) => void} onProgress */
async function warmUp(kit, onProgress) {
  /** @param {number} [share] */
  const pause = async (share = 0) => {
    await rest();
    onProgress(share);
  };
  const languages = await listLanguages();
  const python = await load(kit, null);
  await pause();
  await begin(kit, python, () => pause());
  python.runPython(`pages = bridge.warm_up(${JSON.stringify(JSON.stringify(languages))})`);
  for (let share = 0; share !== undefined; share = python.runPython("next(pages, None)")) await pause(share);
  python.runPython("del pages");
  return python.makeMemorySnapshot();
}

// The languages of the browser and of the open pages.
async function listLanguages() {
  const start = new URL("./", location.href).href.length, pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  return [...navigator.languages, ...pages.map(({ url }) => url.slice(start).split("/")[0])];
}

// Loads Pyodide; its requests for files are answered from this phone.
/** @param {Kit} kit @param {Uint8Array<ArrayBuffer> | null} [memory] null: this start is for a snapshot */
async function load(kit, memory) {
  const { base, loadPyodide, createPyodideModule } = kit, ask = self.fetch;
  self.fetch = async (request, options) => {
    const address = request instanceof Request ? request.url : String(request);
    return (address.startsWith(base) && (await find(kit, address))) || ask(request, options);
  };
  try {
    const python = await loadPyodide({
      indexURL: base,
      stdLibURL: `${base}stdlib.zip`,
      lockFileContents: await read(kit, "pyodide-lock.json", "text"),
      createPyodideModule: memory ? withRoom(createPyodideModule, memory) : createPyodideModule,
      ...(memory ? { _loadSnapshot: memory } : { _makeSnapshot: memory === null }),
    });
    for (const name of ARCHIVES) unpack(python.FS, await read(kit, name, "arrayBuffer")); // files are no part of a snapshot
    for (const name of ADDED) {
      const file = await find(kit, `${kit.base}${name}`);
      if (file) python.FS.writeFile(`${APP}/${name}`, new Uint8Array(await file.arrayBuffer()), { canOwn: true });
    }
    return python;
  } finally {
    self.fetch = ask;
  }
}

// Unpacks an archive of uncompressed files, by the list at its end.
/** @param {Pyodide["FS"]} files @param {ArrayBuffer} archive */
function unpack(files, archive) {
  const view = new DataView(archive), bytes = new Uint8Array(archive), text = new TextDecoder();
  /** @type {(at: number) => number} */
  const short = (at) => view.getUint16(at, true);
  /** @type {(at: number) => number} */
  const long = (at) => view.getUint32(at, true);
  const end = archive.byteLength - 22; // without a comment
  if (long(end) !== 0x06054b50) throw new Error("no archive");
  for (let n = short(end + 10), at = long(end + 16); n > 0; n--) {
    const size = long(at + 24), name = text.decode(bytes.subarray(at + 46, at + 46 + short(at + 28))), head = long(at + 42);
    if (short(at + 10) !== 0) throw new Error(`${name} is packed`);
    const from = head + 30 + short(head + 26) + short(head + 28);
    files.mkdirTree(`${APP}/${name.slice(0, name.lastIndexOf("/") + 1)}`);
    if (!name.endsWith("/")) files.writeFile(`${APP}/${name}`, bytes.subarray(from, from + size), { canOwn: true });
    at += 46 + short(at + 28) + short(at + 30) + short(at + 32);
  }
}

// Makes the memory as large as the snapshot that is loaded into it.
/** @param {Kit["createPyodideModule"]} create @param {Uint8Array} memory @returns {Kit["createPyodideModule"]} */
const withRoom = (create, memory) => async (settings) => {
  const made = await create(settings);
  if (memory.length > made.HEAPU8.length) made._malloc(memory.length);
  return made;
};

/** @template {"text" | "arrayBuffer"} K @param {Kit} kit @param {string} name @param {K} kind @returns {Promise<Awaited<ReturnType<Response[K]>>>} */
async function read(kit, name, kind) {
  const file = await find(kit, `${kit.base}${name}`);
  if (!file) throw new Error(`no file ${name}`);
  return /** @type {any} */ (file[kind]()); // the caller knows the kind
}

/** @param {Pyodide} python @returns {Program} */
function connect(python) {
  const bridge = python.globals.get("bridge"), answer = python.runPython(GLUE);
  return {
    call: (name, ...words) => bridge[name](...words),
    handle(method, url, body, headers) {
      const made = answer(method, url, new Uint8Array(body ?? []), JSON.stringify(headers));
      const [status, headersText, content] = made.toJs();
      made.destroy();
      return { status, headers: JSON.parse(headersText), content };
    },
  };
}
