// A moment as the pages write it: the time alone when it is today.
const lang = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;

export function formatTime(moment) {
  const at = new Date(moment), time = at.toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit" });
  if (at.toDateString() === new Date().toDateString()) return time;
  return `${at.toLocaleDateString(lang, { day: "numeric", month: "short", year: "numeric" })}, ${time}`;
}
