// On the first page of a folder of files: where the program does not start, what is stored can be kept as it is, in a file.
import { download } from "../../archives/download.js";
import { readBrowser, readRows } from "./rows.js";

const button = document.getElementById("rescue");
readBrowser().then((browser) => {
  if (!browser) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const { rows } = await readRows(browser.mark), text = JSON.stringify({ format: "companion-rows", version: 1, rows });
    download(new File([text], "companion-rows.json", { type: "application/json" }));
  });
}, () => {}); // nothing can be stored here
