// A moment as the pages write it: the time alone when it is today.
const lang = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;

/** @param {string | number} moment */
export function formatTime(moment) {
  const at = new Date(moment), isToday = at.toDateString() === new Date().toDateString();
  return at.toLocaleString(lang, { dateStyle: isToday ? undefined : "medium", timeStyle: "short" });
}
