/**
 * Debian's Firefox behind a pipe: a line of JSON for each thing to do, a line for what came of it.
 *
 *     node driven.mjs '{"executable": "/usr/bin/firefox-esr", "profile": "/tmp/…", "preferences": {…}}'
 *
 * In: `["open", "http://…"]`. Out: `{"value": …}` or `{"error": "…"}`.
 */

import { createInterface } from 'node:readline';
import puppeteer from 'puppeteer-core';

const { executable, profile, preferences } = JSON.parse(process.argv[2]);
const browser = await puppeteer.launch({
  browser: 'firefox',
  executablePath: executable,
  userDataDir: profile,
  extraPrefsFirefox: preferences,
  headless: true,
});
// What Firefox says, on our stderr.
for (const said of [browser.process().stdout, browser.process().stderr]) said?.pipe(process.stderr);
let [page] = await browser.pages();
page.setDefaultTimeout(20_000);
// A page with something typed in it asks before it is left.
page.on('dialog', (dialog) => dialog.accept());

const does = {
  open: async (url) => (await page.goto(url))?.status() ?? 0,
  /** Waits until an expression in the page gives something true. */
  wait: async (expression) => void (await page.waitForFunction(expression)),
  read: (expression) => page.evaluate(expression),
  click: (selector) => page.click(selector),
  focus: (selector) => page.focus(selector),
  type: (text) => page.keyboard.type(text),
  press: (key) => page.keyboard.press(key),
  /** @param {string} modifier held while `key` is pressed */
  chord: async (modifier, key) => {
    await page.keyboard.down(modifier);
    await page.keyboard.press(key);
    await page.keyboard.up(modifier);
  },
  /** What an element looks like, as PNG in base64. */
  picture: async (selector) => (await page.$(selector)).screenshot({ encoding: 'base64' }),
  shot: (path) => page.screenshot({ path, fullPage: true }),
  close: () => browser.close(),
};

console.log(JSON.stringify({ value: await browser.version() }));
for await (const line of createInterface({ input: process.stdin })) {
  const [what, ...given] = JSON.parse(line);
  try {
    console.log(JSON.stringify({ value: (await does[what](...given)) ?? null }));
  } catch (error) {
    console.log(JSON.stringify({ error: String(error) }));
  }
  if (what === 'close') break;
}
process.exit(0);
