// Before the first match on a phone alone: the browser is asked to keep what is stored, after a tap, as browsers want it.
import "./home_screen.js";
import { askToPersist } from "./storage.js";

addEventListener("pointerdown", askToPersist, { once: true });
