// The page of the program in this phone: one tap fetches it and makes it ready, another removes it.
import { ask, cacheOf, countRoom, countUnsent, findCaches, findObstacle, formatSize, reaches, removeAll, want, wanted } from "./asking.js";
import { countFetched, Damaged, fetchAll, findManifest, roomOf, sizeOf } from "./fetching.js";
import { alone, askToPersist } from "../storage.js";
/** @import { Manifest, Status } from "../types.js" */

const START_TIMEOUT = 90_000; // milliseconds until a silent program counts as not starting
const SLOW = 20_000; // the same until the page says that the start is slow
const INSTALL_TIMEOUT = 300_000; // the same until the installation of the worker counts as failed
const PACE = 5_000; // milliseconds between two looks for a server or a start
const MAX_LOST = 3; // starts that the browser may end
const ROOM_NEEDED = 1.2; // times the room that its files take; with less it is not fetched
const SNAPSHOT_SIZE = 54e6; // bytes of the snapshot, which is stored if there is room
const part = document.getElementById("pocket"), actions = document.getElementById("pocket-actions");
const bar = /** @type {HTMLProgressElement} */ (part.querySelector("progress")), status = part.querySelector("[data-status]");
/** @type {{here?: number, unsent?: number} & Record<string, string | number>} */
const facts = {}; // values for the sentences
const isBeginning = "begins" in document.documentElement.dataset; // on the first page of a folder of files, which is left when the program is ready
/** @type {string} */
let state;
/** @type {Manifest | null | undefined} */
let manifest;
/** @type {AbortController | undefined} */
let running;

// The version offered, if known.
const offered = () => {
  if (!manifest) throw new Error("nothing is offered");
  return manifest;
};

// Shows a state: sentences and buttons name the states in which they appear.
/** @param {string} next */
function enter(next) {
  const hadFocus = actions.contains(document.activeElement) || part.contains(document.activeElement);
  state = next;
  for (const place of document.querySelectorAll("[data-in]")) place.hidden = !(place.dataset.in ?? "").split(" ").includes(state);
  for (const place of document.querySelectorAll("[data-says]")) place.textContent = fill(place.dataset.says);
  actions.hidden = ![...actions.querySelectorAll("[data-in]")].some((button) => !button.hidden);
  if (!hadFocus) return;
  const question = state === "asked" ? actions.querySelector("[data-does=spare]") : null;
  (question ?? part.querySelector("h2:not([hidden], [hidden] *)") ?? document.querySelector("h1")).focus();
}

/** @param {string} [sentence] */
const fill = (sentence) => (sentence ?? "").replace(/\{(\w+)\}/g, (_, name) => String(facts[name] ?? ""));

/** @param {string} sentence */
function say(sentence) {
  status.textContent = fill(status.dataset[sentence]);
}

// --- where it stands -------------------------------------------------------------------------------

async function look() {
  const obstacle = findObstacle();
  if (obstacle) return enter(obstacle);
  const answer = wanted() || isBeginning ? await ask("status") : undefined;
  facts.unsent = answer?.unsent ?? 0;
  if (answer) want(answer.build); // an update may have replaced it
  if (answer && isBeginning) return ACTIONS.start();
  manifest = await findManifest();
  if (wanted()) await describePresent();
  if (manifest) await describeOffer();
  return proceed(answer ? stateOfPresent(answer) : await stateOfOffer());
}

// Goes on at once if that needs the server but no tap.
/** @param {string} found */
function proceed(found) {
  if (found === "missing" && manifest) return getAll();
  return found === "held" && manifest ? goOn() : enter(found);
}

/** @param {Status} answer */
function stateOfPresent(answer) {
  const isOther = manifest && manifest.build !== answer.build;
  if (answer.ready) return isOther ? "outdated" : "ready";
  return isOther ? "unready" : stateOfUnready(answer);
}

/** @param {Status} answer */
function stateOfUnready({ fault, missing, starting }) {
  if (starting) return "still";
  if (missing) return "missing";
  return fault ? "unready" : "held";
}

async function stateOfOffer() {
  if (!manifest) return manifest === null ? "unbuilt" : "away";
  if (manifest.version !== document.documentElement.dataset.version) return "renewed";
  if (facts.here) return facts.here < sizeOf(manifest) ? "begun" : "held";
  return (await hasRoom()) ? "offered" : "full";
}

async function describePresent() {
  facts.room = formatSize(await countRoom());
}

async function describeOffer() {
  facts.here = await countFetched(offered());
  facts.size = formatSize(sizeOf(offered()));
  facts.count = formatSize(facts.here);
  facts.least = formatSize(roomOf(offered()) * ROOM_NEEDED);
  facts.needs = formatSize(roomOf(offered()) + SNAPSHOT_SIZE);
}

async function hasRoom() {
  const { quota, usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
  if (quota === undefined) return true;
  facts.free = formatSize(Math.max(0, quota - usage));
  return quota - usage >= roomOf(offered()) * ROOM_NEEDED;
}

// --- fetched ---------------------------------------------------------------------------------------

async function getAll() {
  enter("fetching");
  say("begins");
  const controller = running = new AbortController();
  try {
    manifest = (await findManifest()) ?? manifest;
    askToPersist(); // after a tap, as browsers want it
    await alone("pocket", async () => {
      for (const name of await findCaches()) {
        if (name !== cacheOf(offered().build) && name !== cacheOf(wanted())) await caches.delete(name); // begun earlier and abandoned
      }
      await fetchAll(offered(), draw, controller);
    });
    enter("starting");
    say("starts");
    bar.removeAttribute("value");
    want(offered().build);
    await start();
  } catch (error) {
    await explain(error);
  } finally {
    running = undefined;
  }
}

let quarter = 0;
/** @param {number} bytes */
function draw(bytes) {
  const whole = sizeOf(offered());
  bar.max = whole;
  bar.value = bytes;
  facts.count = formatSize(bytes);
  part.querySelector("[data-course]").textContent = fill(part.querySelector("[data-course]").dataset.says);
  const reached = Math.floor((4 * bytes) / whole);
  if (reached !== quarter) say("course");
  quarter = reached;
}

/** @param {any} error */
async function explain(error) {
  if (error.name === "QuotaExceededError") {
    await caches.delete(cacheOf(offered().build));
    return enter("full");
  }
  const found = await findManifest();
  if (found && found.build !== offered().build) return enter("renewed");
  await describeOffer();
  if (error.name === "AbortError") return enter("begun");
  return enter(error instanceof Damaged ? "damaged" : "cut");
}

// --- made ready ------------------------------------------------------------------------------------

async function start() {
  const slow = setTimeout(() => {
    part.querySelector("[data-slow]").hidden = false;
    say("slow");
  }, SLOW);
  const isRegistered = await register().then(() => true, () => false);
  if (!isRegistered) want(null); // the plain worker serves on
  const answer = isRegistered ? await ask("start", START_TIMEOUT, drawStart) : undefined;
  clearTimeout(slow);
  part.querySelector("[data-slow]").hidden = true;
  if (isRegistered && !answer) return arrive("still"); // it may still be at work
  facts.unsent = answer?.unsent ?? 0;
  return arrive(answer?.ready ? "ready" : (await reaches()) ? "unready" : answer?.missing ? "missing" : "held");
}

/** @param {string} reached */
async function arrive(reached) {
  if (isBeginning && reached === "ready") return document.dispatchEvent(new Event("program:ready"));
  await describePresent();
  enter(reached);
  say(reached);
}

// Looks at a start that was silent for long: it is done, has failed or goes on; if the browser has ended it, it begins again.
let lost = 0;
async function lookAtStart() {
  const answer = await ask("status");
  if (state !== "still" || !answer || answer.starting) return;
  facts.unsent = answer.unsent;
  const found = answer.ready ? "ready" : stateOfUnready(answer);
  if (found !== "held" || !manifest) return arrive(found);
  return ++lost < MAX_LOST ? goOn() : arrive("unready");
}

// Starts a program whose files are all here; its matches come from the server, without a tap.
async function goOn() {
  enter("starting");
  bar.removeAttribute("value");
  want(offered().build);
  await start();
}

const WAITS = ["held", "away", "missing"]; // for the server
async function retry() {
  if (state === "still") return lookAtStart();
  if (!WAITS.includes(state) || document.hidden || !(await reaches())) return;
  if (state === "held" && manifest) await goOn();
  else if (WAITS.includes(state)) await look();
}

/** @param {unknown} progress */
function drawStart(progress) {
  if (typeof progress === "number") Object.assign(bar, { max: 1, value: progress });
}

// Registers the worker that runs the program, instead of the plain one.
async function register() {
  const address = /** @type {HTMLMetaElement} */ (document.querySelector("meta[name=worker]")).content.replace("sw.js", "sw-pocket.js");
  const registration = await navigator.serviceWorker.register(address, { type: "module" });
  const worker = registration.installing ?? registration.waiting ?? registration.active;
  if (!worker) throw new Error("no worker");
  if (worker.state === "activated") return;
  /** @type {Promise<void>} */
  const activated = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error("too slow")), INSTALL_TIMEOUT);
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") resolve();
      if (worker.state === "redundant") reject(new Error("not installed"));
    });
  });
  await activated;
}

// --- removed ---------------------------------------------------------------------------------------

// Removes the program; if unsent entries would be lost with it, it asks first.
/** @param {boolean} isSure */
async function remove(isSure) {
  facts.unsent = await countUnsent();
  if (facts.unsent && !isSure) return enter("asked");
  enter("removing");
  await alone("pocket", removeAll);
  await look();
  say("removed");
}

/** @type {Record<string, () => unknown>} */
const ACTIONS = {
  fetch: getAll,
  stop: () => running?.abort(),
  start: () => {
    enter("starting");
    bar.removeAttribute("value");
    return start();
  },
  anew: () => location.reload(),
  remove: () => remove(false),
  surely: () => remove(true),
  spare: look,
};

actions.addEventListener("click", ({ target }) => ACTIONS[/** @type {Element} */ (target).closest("button")?.dataset.does ?? ""]?.());
addEventListener("online", () => (state === "cut" ? getAll() : retry()));
const watch = () => { setTimeout(() => retry().finally(watch), PACE); };
watch();
look();
