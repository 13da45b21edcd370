// Moments as the pages write them, in the zone of this phone.
const lang = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;

// The time alone when it is today; `whole` has its day anyway, `day` nothing else, `sheet` both as on paper.
/** @param {string | number} moment @param {string} [form] */
export function formatTime(moment, form = "clock") {
  const at = new Date(moment), isToday = at.toDateString() === new Date().toDateString();
  if (form === "sheet") return formatForSheet(at, String(moment));
  return at.toLocaleString(lang, {
    dateStyle: isToday && form === "clock" ? undefined : "medium",
    timeStyle: form === "day" ? undefined : "short",
  });
}

// The zone is named where the clock of the table, which the moment is written by, is another one.
/** @param {Date} at @param {string} written */
function formatForSheet(at, written) {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(written) ?? [];
  const isTables = at.getTimezoneOffset() === (sign === "+" ? -1 : 1) * (60 * Number(hours) + Number(minutes));
  const said = `${at.toLocaleDateString(lang, { dateStyle: "long" })}, ${at.toLocaleTimeString(lang, { timeStyle: "short" })}`;
  return isTables ? said : `${said} (${Intl.DateTimeFormat().resolvedOptions().timeZone})`;
}
