import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';

const root = path.resolve(import.meta.dirname, '../..');
const NAMED: Readonly<Record<string, string>> = {
  '#vigia/cli': path.join(root, 'sdk/cli/src/program.ts'),
  '#vigia/client': path.join(root, 'sdk/node/src/index.ts'),
  '#vigia/streams': path.join(root, 'tools/streams/index.ts'),
};
const STATIC_IMPORT = /^(?:import|export) (?!type )(?:[^;]*? from )?'([^']+)';/gm;

/** The modules that Node loads for a file before it runs, and the packages that they import. */
function loadedFor(...entries: string[]): { readonly modules: number; readonly packages: string[] } {
  const modules = new Set<string>();
  const packages = new Set<string>();
  const wanted = entries.map((entry) => path.join(root, entry));
  for (let file = wanted.pop(); file !== undefined; file = wanted.pop()) {
    if (modules.has(file)) continue;
    modules.add(file);
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(STATIC_IMPORT)) {
      if (name.startsWith('.')) {
        const found = path.resolve(path.dirname(file), name);
        wanted.push(existsSync(found) ? found : found.replace(/\.js$/, '.ts'));
      } else if (NAMED[name] !== undefined) wanted.push(NAMED[name]);
      else if (!name.startsWith('node:')) packages.add(name);
    }
  }
  return { modules: modules.size, packages: [...packages].sort() };
}

// Loading the service takes seconds: a command that does without it does not load it either.
it.each([
  ['--help and the client', []],
  ['audit verify', ['src/cli/commands/audit/verify.command.ts']],
  ['webhooks listen', ['src/cli/commands/webhooks/webhook-listen.command.ts']],
  ['simulate', ['tools/streams/index.ts']],
])('%s: loads few modules, and none of the service', (_, commands) => {
  const { modules, packages } = loadedFor('src/cli/main.ts', ...commands);
  expect(packages).toEqual(['commander', 'lz4-napi', 'uuid']);
  expect(modules).toBeLessThan(70);
});

it('a command that needs the service loads it, and is told from the others by that', () => {
  const { modules, packages } = loadedFor('src/cli/main.ts', 'tools/demo/index.ts');
  expect(packages).toEqual(expect.arrayContaining(['@nestjs/core', 'typeorm']));
  expect(modules).toBeGreaterThan(500);
});
