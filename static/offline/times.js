// Moments as the pages write them, in the zone of this phone.
const lang = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;

// The time alone when it is today; `whole` has its day anyway, `day` nothing else.
/** @param {string | number} moment @param {string} [form] */
export function formatTime(moment, form = "clock") {
  const at = new Date(moment), isToday = at.toDateString() === new Date().toDateString();
  return at.toLocaleString(lang, {
    dateStyle: isToday && form === "clock" ? undefined : "medium",
    timeStyle: form === "day" ? undefined : "short",
  });
}
