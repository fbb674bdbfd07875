import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { compiled } from './typescript-hooks.mjs';

/** The support of tests that is loaded once per worker, because what it holds outlives a test file. */
export const ofTests = ['database', 'service', 'things-module'].map((name) => `test/support/${name}.ts`);

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Compiles the sources as they are now into `dir`, laid out as a build. A program that is loaded from there takes half
 * the processor time of one that is compiled as it is loaded, and tests start a hundred of them.
 */
export function compileTree(dir) {
  // The command line verifies webhooks with the SDK, has the commands of integrators, the demo and made-up streams.
  const sources = [
    'src',
    'sdk/node/src',
    'sdk/cli/src',
    'sdk/site/src',
    'tools/demo',
    'tools/streams',
  ].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true })
      .filter((name) => path.extname(name) !== '' && !name.endsWith('.spec.ts'))
      .map((name) => path.join(folder, name)),
  );
  for (const name of ['ormconfig.ts', ...ofTests, ...sources]) {
    const to = path.join(dir, 'dist', name);
    mkdirSync(path.dirname(to), { recursive: true });
    if (name.endsWith('.ts')) writeFileSync(to.replace(/\.ts$/, '.js'), compiled(path.join(root, name)));
    else copyFileSync(path.join(root, name), to);
  }
  // The documents are pages of the service.
  const documents = readdirSync(root).filter((name) => name.endsWith('.md'));
  for (const name of ['package.json', 'node_modules', 'web', 'docs', 'sdk', ...documents]) {
    symlinkSync(path.join(root, name), path.join(dir, name));
  }
}

const OWN = path.join(os.tmpdir(), `vigia-tree-${process.pid}-`);
const isOwn = () => process.env.TEST_COMPILED_DIR?.startsWith(OWN);

/** Compiles the tree for a run of the tests, into TEST_COMPILED_DIR: once, whichever of its projects asks first. */
export function compileForRun() {
  if (isOwn()) return;
  process.env.TEST_COMPILED_DIR = mkdtempSync(OWN);
  compileTree(process.env.TEST_COMPILED_DIR);
}

/** Deletes it: another run, also of `--watch`, compiles the sources as they are then. */
export function discardTree() {
  if (!isOwn()) return;
  rmSync(process.env.TEST_COMPILED_DIR, { recursive: true, force: true });
  delete process.env.TEST_COMPILED_DIR;
}
