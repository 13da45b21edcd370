// Shows every time of a page in the zone of this phone: a cookie gives the server the zone; times of another zone or day are
// rewritten.
import { below } from "./storage.js";
import { formatTime } from "./times.js";

const YEAR = 365 * 24 * 60 * 60;

// Stores the zone at each look: a phone travels.
function storeZone() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `zone=${timeZone}; path=${below}; max-age=${YEAR}; samesite=lax${secure}`;
}

function showTimes() {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("time[datetime]"))) {
    if (Number.isNaN(Date.parse(time.dateTime))) continue; // Python reads more formats
    const text = formatTime(time.dateTime, time.dataset.form);
    if (text !== time.textContent) time.textContent = text;
  }
}

function begin() {
  storeZone();
  showTimes();
}
begin();
new MutationObserver(showTimes).observe(document.body, { childList: true, subtree: true }); // news, and updated parts
document.addEventListener("visibilitychange", begin);
setInterval(showTimes, 30_000); // midnight
