// Reads links, one in each line of its input, and writes what is in them as JSON; null for a damaged one.
import { createInterface } from "node:readline";
import { readGiven } from "../../../../static/archives/giving.js";

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await readGiven(line).catch(() => null)));
}
