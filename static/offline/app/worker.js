// The worker of a device that has the offline app: the plain worker (offline/worker.js), which asks `self.offlineApp` for
// answers when the network does not give them, and the messages of pages to the offline app.
import "../worker.js";
import { dropOthers, fill } from "./files.js";
import { catchUp, fetchNews, isAhead } from "./news.js";
import {
  answer, countMissing, describeStatus, device, forget, inTurn, isOutdated, isReady, makePlaceholder, notifyPages, now, once,
  prepare, prepareUnasked, readDevice, run, setUp, stepListeners, takes,
} from "./program.js";
import { answerFirst, answerScript, deliver, isGone, markLacking, markOffline, onAnswer, patience } from "./server.js";
/** @import { Kit, PageMessage } from "../types.js" */

const REFILL_DELAY = 15_000; // milliseconds until missing files are fetched again

/** @param {Pick<Kit, "build" | "version" | "files">} build @param {Pick<Kit, "loadPyodide" | "createPyodideModule">} pyodide */
export function begin(build, pyodide) {
  setUp("phone", build, pyodide);
  self.offlineApp = { takes, isReady, patience, answerFirst, answer, answerScript, markLacking, makePlaceholder, onAnswer, markOffline, forget };
  addEventListener("install", (event) => event.waitUntil(fill(device.kit))); // and no more: some browsers give up one that is busy here
  addEventListener("activate", (event) => event.waitUntil(dropOthers(build.build)));
  addEventListener("message", (event) => { if (event.data.pocket) event.waitUntil(handleMessage(event)); });
  addEventListener("sync", (event) => event.waitUntil(deliver()));
}

/** @param {{data: PageMessage, ports: readonly Pick<MessagePort, "postMessage">[]}} event */
async function handleMessage({ data: { pocket: what }, ports: [port] }) {
  await readDevice();
  if (what === "remove") await forget();
  if (what === "start") await makeReady(port).catch((error) => { device.fault = String(error); });
  if (what === "deliver") await deliver().then(() => (isAhead() ? catchUp() : undefined)).catch(markOffline);
  await countMissing();
  port?.postMessage(describeStatus());
  if (what === "status" && device.browser?.unsent) await deliver();
  if (what !== "status" && what !== "deliver") return;
  await refill();
  if (!isGone()) await prepareUnasked();
}

// Prepares all that a first answer without network needs: files, snapshot, news. Each step is reported: a page that hears
// nothing takes the worker for dead.
/** @param {Pick<MessagePort, "postMessage">} [port] */
async function makeReady(port) {
  let reached = 0;
  /** @param {number} progress */
  const report = (progress) => {
    reached = Math.max(reached, progress);
    port?.postMessage({ progress: reached });
  };
  const reportAgain = () => report(reached);
  device.failed = -Infinity;
  device.starting = true;
  stepListeners.add(reportAgain);
  try {
    await fill(device.kit, reportAgain);
    await prepare((share) => report(share / 2));
    report(0.5);
    await fetchNews();
    report(0.8);
    await inTurn(() => run(() => {}));
    report(1);
  } finally {
    device.starting = false;
    stepListeners.delete(reportAgain);
  }
}

let refilled = -Infinity; // when missing files were fetched last

// Fetches files that the browser has deleted, while there is a server; nobody waits for that.
const refill = once(async () => {
  if (!device.missing || !device.browser?.seed || isOutdated() || isGone() || now() - refilled < REFILL_DELAY) return;
  refilled = now();
  await fill(device.kit).catch((error) => console.warn("files are missing", error));
  await countMissing();
  if (device.missing) return;
  device.failed = -Infinity;
  device.fault = null;
  await notifyPages();
});
