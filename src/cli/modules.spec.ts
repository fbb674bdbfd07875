import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { FOUNDATION } from './pages/modules-page.js';

interface Rule {
  readonly name: string;
  readonly from: { readonly path?: string };
}

const root = path.resolve(import.meta.dirname, '../..');
const { forbidden } = createRequire(import.meta.url)(path.join(root, '.dependency-cruiser.cjs')) as {
  forbidden: readonly Rule[];
};
/** The folders that the rule of this name is about, as `^src/(one|other)/` or `^src/one/`. */
const about = (rule: string): string[] =>
  /^\^src\/\(?([a-z|-]+)\)?\/$/
    .exec(forbidden.find(({ name }) => name === rule)?.from.path ?? '')?.[1]
    ?.split('|') ?? [];

describe('The folders of src', () => {
  const folders = readdirSync(path.join(root, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const foundation = about('foundation-knows-no-feature');

  it('have each an arrow in .dependency-cruiser.cjs, or none because they are the foundation', () => {
    const features = forbidden.flatMap(({ name }) => (name.endsWith('-arrows') ? about(name) : []));
    // The command line works on all of them.
    expect([...foundation, ...features, 'cli'].sort()).toEqual(folders.sort());
  });

  it('are the same foundation in docs/modules.md', () => {
    expect([...FOUNDATION].sort()).toEqual(foundation.sort());
  });

  it('are named in docs/architecture.md', () => {
    const text = readFileSync(path.join(root, 'docs/architecture.md'), 'utf8');
    const listed = text.split('\n').find((line) => line.includes('foundation folders know no feature')) ?? '';
    expect(folders.filter((name) => !listed.includes(`\`${name}\``))).toEqual([]);
  });
});
