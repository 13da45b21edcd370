// The screen of a running match stays on, where the player wants it so; the phone remembers that.
const KEY = "awake";
const template = /** @type {HTMLTemplateElement | null} */ (document.getElementById("awake-switch"));
/** @type {HTMLInputElement} */
let box;
/** @type {WakeLockSentinel | undefined} */
let lock;

// A lock is lost whenever the page is out of sight.
async function hold() {
  if (!box.checked || document.hidden || (lock && !lock.released)) return;
  lock = await navigator.wakeLock.request("screen").catch(() => undefined); // the phone saves its battery
}

function remember() {
  if (box.checked) localStorage.setItem(KEY, "1");
  else localStorage.removeItem(KEY);
}

if (template && window.isSecureContext && navigator.wakeLock) {
  template.replaceWith(template.content);
  box = document.getElementById("awake");
  box.checked = localStorage.getItem(KEY) === "1";
  box.addEventListener("change", () => {
    remember();
    return box.checked ? hold() : lock?.release();
  });
  document.addEventListener("visibilitychange", hold);
  hold();
}
