// Whatever is typed keeps itself in the phone, by match and form, until it is saved or discarded.

// What was typed stands in the form again; `saved` is a draft or a waiting entry: {fields, html, at}.
export async function restore(form, saved) {}

// The form was saved, or lies in the outbox: nothing of it is kept any more.
export async function forget(form) {}

// What stands in the form now is kept.
export async function keepNow(form) {}
