// Has the modules of an archive compiled by the Python of browsers, which Node.js runs too:
// node compile.mjs PYODIDE PROGRAM SOURCES COMPILED
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, program, sources, compiled] = process.argv.slice(2);
// The same order of sets each time, of lines their numbers and no columns: the same modules come out, and smaller ones.
const env = { HOME: "/", PYTHONHASHSEED: "0", PYTHONNODEBUGRANGES: "1" };

try {
  const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
  const python = await loadPyodide({ indexURL: `${pyodide}/`, env });
  python.FS.writeFile("/sources.zip", readFileSync(sources));
  python.runPython(readFileSync(program, "utf8"));
  python.runPython('compile_archive("/sources.zip", "/compiled.zip")');
  writeFileSync(compiled, python.FS.readFile("/compiled.zip"));
} catch (error) {
  console.error(String(error.message ?? error));
  process.exit(1);
}
