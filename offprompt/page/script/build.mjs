/**
 * Builds the page's script and style into the two files that are sent inside the page, and the licences of what is in them
 * into a third.
 *
 *     npm ci && npm run build     writes ../static/bundle.js, bundle.css and bundle.licenses.txt
 *     npm ci && npm run check     builds in memory and compares: 1 when the committed files are not what comes out
 *
 * The versions of everything that goes in are pinned in package-lock.json, so every rebuild gives the same bytes.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = new URL('./', import.meta.url);
const out = new URL('../static/', here);

/** The oldest browsers the page supports: AbortSignal.timeout, and masking by style in Firefox. */
const target = ['chrome103', 'firefox111', 'safari16'];

/** The packages of which parts are in the script. */
const BUNDLED = ['@noble/ciphers', '@noble/curves', '@noble/hashes'];

/** @param {string} name of a package */
async function licence(name) {
  const folder = new URL(`node_modules/${name}/`, here);
  const { version } = JSON.parse(await readFile(new URL('package.json', folder), 'utf8'));
  return `${name} ${version}\n\n${await readFile(new URL('LICENSE', folder), 'utf8')}`;
}

async function built() {
  const common = { absWorkingDir: fileURLToPath(here), bundle: true, minify: true, write: false, target, charset: 'utf8', legalComments: 'none' };
  const script = await build({ ...common, entryPoints: ['main.js'], format: 'iife', outfile: 'bundle.js' });
  const style = await build({ ...common, entryPoints: ['../static/page.css'], outfile: 'bundle.css' });
  const notice = '/*! offprompt; with noble-curves, noble-ciphers, noble-hashes (MIT, Paul Miller) */\n';
  return {
    'bundle.js': notice + script.outputFiles[0].text,
    'bundle.css': style.outputFiles[0].text,
    'bundle.licenses.txt': (await Promise.all(BUNDLED.map(licence))).join('\n'),
  };
}

const files = await built();
let stale = 0;
for (const [name, text] of Object.entries(files)) {
  const file = new URL(name, out);
  if (!process.argv.includes('--check')) {
    await writeFile(file, text);
  } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    console.error(`${name} is not what a rebuild gives: run "npm run build" in offprompt/page/script and commit it`);
    stale = 1;
  }
}
process.exitCode = stale;
