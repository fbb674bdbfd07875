import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

interface Rule {
  readonly name: string;
  readonly from: { readonly path?: string };
}

const root = path.resolve(import.meta.dirname, '../..');
const { forbidden } = createRequire(import.meta.url)(path.join(root, '.dependency-cruiser.cjs')) as {
  forbidden: readonly Rule[];
};
/** The folder of `src/features` that the rule of this name is about. */
const about = (rule: Rule): string => /^\^src\/features\/([a-z-]+)\/$/.exec(rule.from.path ?? '')?.[1] ?? '';

const foldersOf = (storey: string): string[] =>
  readdirSync(path.join(root, storey), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

describe('The folders of src', () => {
  it('are the bootstrap, the features, the platform and the command line', () => {
    expect(foldersOf('src').sort()).toEqual(['bootstrap', 'cli', 'features', 'platform']);
    expect(readdirSync(path.join(root, 'src')).filter((name) => name.endsWith('.ts'))).toEqual([
      'app.module.ts',
      'main.ts',
    ]);
  });

  it('have each an arrow in .dependency-cruiser.cjs, if they are features', () => {
    const features = forbidden.filter(({ name }) => name.endsWith('-arrows')).map(about);
    expect(features.sort()).toEqual(foldersOf('src/features').sort());
  });

  it.each(['platform', 'features'])('are named in docs/architecture.md: %s', (storey) => {
    const text = readFileSync(path.join(root, 'docs/architecture.md'), 'utf8');
    const listed = text.split('\n').find((line) => line.startsWith(`- \`src/${storey}\``)) ?? '';
    expect(foldersOf(`src/${storey}`).filter((name) => !listed.includes(`\`${name}\``))).toEqual([]);
  });
});
