// npm start; with --watch npm run dev. Checks what can be missing on a bare clone, builds when the sources are newer, then hands over to the launcher.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const entry = path.join(root, 'dist/launcher/start.js');
const nest = path.join(root, 'node_modules/@nestjs/cli/bin/nest.js');

process.chdir(root);
checkNode();
if (!existsSync('node_modules/@nestjs/core')) fail('The dependencies are not installed. Run: npm ci');
await Promise.all([buildPages(), isStale() ? buildService() : null]);
const { start } = await import(pathToFileURL(entry).href);
await start({ watch: process.argv.includes('--watch') });

function checkNode() {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
  const [, least] = />=([\d.]+)/.exec(engines.node);
  const wanted = least.split('.').map(Number);
  const given = process.versions.node.split('.').map(Number);
  const difference = given.map((part, index) => part - wanted[index]).find((part) => part !== 0) ?? 0;
  if (difference < 0)
    fail(
      `Node.js 24, or at least ${least}, is needed; this is ${process.versions.node}. See https://nodejs.org`,
    );
}

function isStale() {
  if (!existsSync(nest)) return false; // installed without development packages: dist comes with it
  if (!existsSync(entry)) return true;
  const sources = ['src', 'launcher', 'tools', 'sdk/node/src', 'sdk/cli/src', 'sdk/site/src'].flatMap(
    (folder) => readdirSync(folder, { recursive: true }).map((name) => path.join(folder, name)),
  );
  const built = statSync(entry).mtimeMs;
  return [
    ...sources,
    'ormconfig.ts',
    'tsconfig.json',
    'tsconfig.build.json',
    'tsconfig.start.json',
    'nest-cli.json',
  ].some((file) => statSync(file).mtimeMs > built);
}

// Translates without checking types, which takes as long again: `npm run build`, `npm run types` and `npm run dev` check.
async function buildService() {
  const began = Date.now();
  console.log('Building the service …');
  if (!(await run(nest, 'build', '-p', 'tsconfig.start.json'))) {
    rmSync(entry, { force: true }); // the compiler writes files even when it finds errors: do not take them for a build
    fail('The build failed; see above.');
  }
  console.log(`Built the service in ${((Date.now() - began) / 1000).toFixed(1)} s`);
}

async function buildPages() {
  if (!(await run('scripts/build-page.mjs'))) fail('The pages could not be built; see above.');
}

async function run(...script) {
  const [code] = await once(spawn(process.execPath, script, { stdio: 'inherit' }), 'exit');
  return code === 0;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
