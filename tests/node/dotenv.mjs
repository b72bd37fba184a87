// What node's dotenv reads: takes a JSON list of texts in base64 on standard input, one such list a line, and answers each
// with a line: for every text what each version and parser of the package finds in it.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(import.meta.url);
const current = require("dotenv");
const before = require("dotenv-17");

const read = (text) => [current.parse(text), before.parse(text), current.parse(text, { fast: true })];

for await (const line of createInterface({ input: process.stdin })) {
  const texts = JSON.parse(line).map((text) => Buffer.from(text, "base64").toString("utf8"));
  process.stdout.write(JSON.stringify(texts.map(read)) + "\n");
}
