import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
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
  // The command line verifies webhooks with the SDK, and has the commands of integrators.
  const sources = ['src', 'sdk/node/src', 'sdk/cli/src'].flatMap((folder) =>
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
