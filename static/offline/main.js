// What every page of the app does on a phone.
import "./cached_pages.js"; // first: the others then find the forms of a stored page as if just made
import "./zone.js";
import "./outbox.js";
import "./waiting.js";
import "./drafts.js";
import { wanted } from "./storage.js";

// Follows the match unless the page was stored; loaded after all that the page needs.
const { seen, kept, pocket } = document.documentElement.dataset;
const follow = () => import("./live.js").catch(() => setTimeout(follow, 5_000)); // the network may have gone meanwhile
if (seen && !kept) follow();

// Only for a phone that has the program, and a server behind it.
if (document.getElementById("pocket-strip") && (pocket !== undefined || wanted() !== null)) import("./app/marks.js").catch(() => {});
