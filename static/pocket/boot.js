// Python is started, with the app in it: from the memory of an earlier start on this phone, or from the files.
import { drop, find, keep } from "./files.js";

const APP = "/app";
const ARCHIVES = ["libs.zip", "app.zip"];
const START = `
import sys
sys.path.insert(0, "${APP}")
from companion.pocket.bridge import start
bridge = start("${APP}")
`;
const GLUE = "lambda method, url, body, headers: bridge.handle(method, url, body.to_bytes(), headers)";
const snapshotOf = ({ base }) => `${base}snapshot`;

// Gives the program: `call(name, ...arguments)` asks the bridge, `handle` answers a request; `keepSnapshot` keeps
// the memory for the next start, where there was none. What of a snapshot is of no use is thrown away.
export async function boot(kit, makes = true) {
  const memory = await find(kit, snapshotOf(kit));
  if (memory) {
    try {
      return connect(await load(kit, new Uint8Array(await memory.arrayBuffer())));
    } catch (error) {
      console.warn("the snapshot is of no use", error);
      await drop(kit, snapshotOf(kit));
    }
  }
  const python = await load(kit, null, makes);
  python.runPython(START);
  const snapshot = makes ? python.makeMemorySnapshot() : null;
  return connect(python, snapshot && (() => keep(kit, snapshotOf(kit), snapshot)));
}

// Pyodide asks for its files by their addresses; they lie in this phone.
async function load(kit, memory, makes) {
  const { base, loadPyodide, createPyodideModule } = kit, ask = self.fetch;
  self.fetch = async (request, options) => {
    const address = String(request.url ?? request);
    return (address.startsWith(base) && (await find(kit, address))) || ask(request, options);
  };
  try {
    const python = await loadPyodide({
      indexURL: base,
      stdLibURL: `${base}stdlib.zip`,
      lockFileContents: await read(kit, "pyodide-lock.json", "text"),
      createPyodideModule: memory ? withRoom(createPyodideModule, memory) : createPyodideModule,
      ...(memory ? { _loadSnapshot: memory } : { _makeSnapshot: makes }),
    });
    // Files are no part of a snapshot.
    for (const name of ARCHIVES) python.unpackArchive(await read(kit, name, "arrayBuffer"), "zip", { extractDir: APP });
    return python;
  } finally {
    self.fetch = ask;
  }
}

// The memory has to be as large as what is put into it.
const withRoom = (create, memory) => async (settings) => {
  const made = await create(settings);
  if (memory.length > made.HEAPU8.length) made._malloc(memory.length);
  return made;
};

async function read(kit, name, kind) {
  const file = await find(kit, `${kit.base}${name}`);
  if (!file) throw new Error(`no file ${name}`);
  return file[kind]();
}

function connect(python, keepSnapshot) {
  const bridge = python.globals.get("bridge"), answer = python.runPython(GLUE);
  return {
    keepSnapshot,
    memory: () => python._module.HEAPU8.length,
    call: (name, ...words) => bridge[name](...words),
    handle(method, url, body, headers) {
      const made = answer(method, url, new Uint8Array(body ?? 0), JSON.stringify(headers));
      const [status, said, content] = made.toJs();
      made.destroy();
      return { status, headers: JSON.parse(said), content };
    },
  };
}
