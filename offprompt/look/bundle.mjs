/**
 * Builds a page's script and style into the files that are sent inside it, and the licences of what is in them into a
 * third. Every page of offprompt is built by this, on the same tokens, for the same browsers.
 *
 * A page's own `build.mjs` brings esbuild, as its version is pinned beside the page's sources: every rebuild gives the
 * same bytes. With `--check` nothing is written: the exit code is 1 when a committed file is not what comes out.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The oldest browsers that are supported: AbortSignal.timeout, and masking by style in Firefox. */
const TARGET = ['chrome103', 'firefox111', 'safari16'];

/**
 * @param {(options: any) => Promise<any>} build esbuild's
 * @param {object} page
 * @param {URL} page.folder of its package.json; the paths below start here
 * @param {string} page.script where it begins
 * @param {string} page.style where it begins
 * @param {string[]} page.packages of which parts are in the script
 * @param {string} page.notice a comment that names them in the script
 * @param {string} page.out the folder of bundle.js, bundle.css and bundle.licenses.txt
 */
export async function bundle(build, { folder, script, style, packages, notice, out }) {
  const common = {
    absWorkingDir: fileURLToPath(folder),
    bundle: true,
    minify: true,
    write: false,
    target: TARGET,
    charset: 'utf8',
    legalComments: 'none',
  };
  const [js, css] = await Promise.all([
    build({ ...common, entryPoints: [script], format: 'iife', outfile: 'bundle.js' }),
    build({ ...common, entryPoints: [style], outfile: 'bundle.css' }),
  ]);
  const files = {
    'bundle.js': `/*! ${notice} */\n${js.outputFiles[0].text}`,
    'bundle.css': css.outputFiles[0].text,
    'bundle.licenses.txt': (await Promise.all(packages.map((name) => licence(folder, name)))).join('\n'),
  };
  for (const [name, text] of Object.entries(files)) {
    const file = new URL(name, new URL(out, folder));
    if (!process.argv.includes('--check')) {
      await writeFile(file, text);
    } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
      const where = fileURLToPath(folder);
      console.error(`${name} is not what a rebuild gives: run "npm run build" in ${where} and commit it`);
      process.exitCode = 1;
    }
  }
}

/**
 * @param {URL} folder
 * @param {string} name of a package
 */
async function licence(folder, name) {
  const installed = new URL(`node_modules/${name}/`, folder);
  const { version } = JSON.parse(await readFile(new URL('package.json', installed), 'utf8'));
  return `${name} ${version}\n\n${await readFile(new URL('LICENSE', installed), 'utf8')}`;
}
