// Formats moments as pages do, in the zone of this phone.
const lang = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;

// Formats a moment: by `clock` its time, with the day unless that is today; by `whole` both, by `day` the day alone, by
// `sheet` both as on paper.
/** @param {string | number} moment @param {string} [form] */
export function formatTime(moment, form = "clock") {
  const at = new Date(moment), isToday = at.toDateString() === new Date().toDateString();
  if (form === "sheet") return formatForSheet(at, String(moment));
  return at.toLocaleString(lang, {
    dateStyle: isToday && form === "clock" ? undefined : "medium",
    timeStyle: form === "day" ? undefined : "short",
  });
}

// Names the zone if the table's clock, by which the moment is written, is in another one.
/** @param {Date} at @param {string} written */
function formatForSheet(at, written) {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(written) ?? [];
  const isTables = at.getTimezoneOffset() === (sign === "+" ? -1 : 1) * (60 * Number(hours) + Number(minutes));
  const said = `${at.toLocaleDateString(lang, { dateStyle: "long" })}, ${at.toLocaleTimeString(lang, { timeStyle: "short" })}`;
  return isTables ? said : `${said} (${Intl.DateTimeFormat().resolvedOptions().timeZone})`;
}
