/** The page's dotenv reader behind a pipe: a line with a JSON list of texts in, a line with what each holds out. */

import { createInterface } from 'node:readline';
import { byNode } from '../../../offprompt/page/script/dotenv/node.js';
import { byPython } from '../../../offprompt/page/script/dotenv/python.js';
import { read } from '../../../offprompt/page/script/dotenv/read.js';

for await (const line of createInterface({ input: process.stdin })) {
  const found = JSON.parse(line).map((text) => [byNode(text), byPython(text), read(text)].map((names) => [...names]));
  console.log(JSON.stringify(found));
}
