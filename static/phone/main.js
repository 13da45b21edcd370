// What every page of the app does on a phone.
import "./outbox.js";
import "./waiting.js";
import "./drafts.js";
import "./kept.js";
import "./wake.js";
