// Files to take matches in from: said at once when they are too large, or when there is no network for them.
const form = /** @type {HTMLFormElement} */ (document.getElementById("take-in")), field = form.elements.file;
const fault = document.getElementById("file-error"), most = Number(form.dataset.most) * 1024 ** 2;

function check() {
  const isTooLarge = /** @type {File[]} */ ([...field.files]).reduce((sum, { size }) => sum + size, 0) > most;
  fault.hidden = !isTooLarge;
  fault.querySelector("*").textContent = isTooLarge ? fault.dataset.tooLarge ?? "" : "";
  fault.parentElement?.classList.toggle("wrong", isTooLarge);
  return !isTooLarge;
}
field.addEventListener("change", check);

const note = document.getElementById("no-network"); // a page made on a phone needs none
const isReachable = () => {
  const isGone = Boolean(note) && !navigator.onLine;
  if (note) note.hidden = !isGone;
  return !isGone;
};
for (const event of ["online", "offline"]) addEventListener(event, isReachable);
isReachable();

form.addEventListener("submit", (event) => {
  const isSent = isReachable() && check();
  if (!isSent) event.preventDefault(); // the files stay chosen
});

// What was shared with the app lies with the worker until it is in the field.
async function takeShared() {
  const cache = await caches.open("shared"), given = new DataTransfer();
  for (const request of await cache.keys()) {
    const answer = await cache.match(request);
    if (answer) given.items.add(new File([await answer.blob()], decodeURIComponent(answer.headers.get("X-Name") ?? ""), { type: answer.headers.get("Content-Type") ?? "" }));
  }
  if (!given.files.length) return;
  field.files = given.files;
  await caches.delete("shared");
  check();
}
if (window.isSecureContext && window.caches) takeShared().catch(() => {});
