// What every page of the app does on a phone.
import "./cached_pages.js"; // first: the others find the forms of a kept page as if they had just been made
import "./zone.js";
import "./outbox.js";
import "./waiting.js";
import "./drafts.js";
import { wanted } from "./storage.js";

// A page of a match follows it, unless it was kept; after all that it needs to be used.
const { seen, kept, pocket } = document.documentElement.dataset;
const follow = () => import("./live.js").catch(() => setTimeout(follow, 5_000)); // the network may have gone meanwhile
if (seen && !kept) follow();

// Only a phone that has the program has something to say of it.
if (pocket !== undefined || wanted() !== null) import("./app/marks.js").catch(() => {});
