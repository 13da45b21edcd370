// Keeps the screen of a running match on if the player wants it; the phone remembers that. The switch is in the list beside
// the board, whose own template is empty.
const KEY = "awake";
const template = /** @type {HTMLTemplateElement | null} */ (document.getElementById("awake-switch"));
/** @type {WakeLockSentinel | undefined} */
let lock;

const isWanted = () => localStorage.getItem(KEY) === "1";

// Requests the lock again: it is lost whenever the page is out of sight.
async function hold() {
  if (!isWanted() || document.hidden || (lock && !lock.released)) return;
  lock = await navigator.wakeLock.request("screen").catch(() => undefined); // the phone saves its battery
}

if (template && window.isSecureContext && navigator.wakeLock) {
  template.replaceWith(template.content);
  const box = /** @type {HTMLInputElement | null} */ (document.getElementById("awake"));
  if (box) box.checked = isWanted();
  box?.addEventListener("change", () => {
    if (box.checked) localStorage.setItem(KEY, "1");
    else localStorage.removeItem(KEY);
    return box.checked ? hold() : lock?.release();
  });
  document.addEventListener("visibilitychange", hold);
  hold();
}
