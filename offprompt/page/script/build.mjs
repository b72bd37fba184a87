/**
 * Builds the page's script and style (offprompt/look/bundle.mjs).
 *
 *     npm ci && npm run build     writes ../static/bundle.js, bundle.css and bundle.licenses.txt
 *     npm ci && npm run check     builds in memory and compares: 1 when the committed files are not what comes out
 */

import { build } from 'esbuild';
import { bundle } from '../../look/bundle.mjs';

await bundle(build, {
  folder: new URL('./', import.meta.url),
  script: 'main.js',
  style: '../style/page.css',
  packages: ['@noble/ciphers', '@noble/curves', '@noble/hashes'],
  notice: 'offprompt; with noble-curves, noble-ciphers, noble-hashes (MIT, Paul Miller)',
  out: '../static/',
});
