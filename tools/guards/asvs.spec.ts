import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { cellsOf } from '../documents/pages/asvs-page.js';
import { asvsTags, taggedIn } from '../documents/pages/asvs-tags.js';

/** How many items of levels 1 and 2 each section of ASVS 5.0.0 has; those of level 3 come after them. */
const SECTIONS: readonly (readonly [section: string, last: number])[] = [
  ['1.1', 2],
  ['1.2', 9],
  ['1.3', 11],
  ['1.4', 3],
  ['1.5', 2],
  ['2.1', 3],
  ['2.2', 3],
  ['2.3', 4],
  ['2.4', 1],
  ['3.2', 2],
  ['3.3', 4],
  ['3.4', 6],
  ['3.5', 5],
  ['3.7', 2],
  ['4.1', 3],
  ['4.2', 1],
  ['4.3', 2],
  ['4.4', 4],
  ['5.1', 1],
  ['5.2', 3],
  ['5.3', 2],
  ['5.4', 3],
  ['6.1', 3],
  ['6.2', 12],
  ['6.3', 4],
  ['6.4', 4],
  ['6.5', 5],
  ['6.6', 3],
  ['6.8', 4],
  ['7.1', 3],
  ['7.2', 4],
  ['7.3', 2],
  ['7.4', 5],
  ['7.5', 2],
  ['7.6', 2],
  ['8.1', 2],
  ['8.2', 3],
  ['8.3', 1],
  ['8.4', 1],
  ['9.1', 3],
  ['9.2', 4],
  ['10.1', 2],
  ['10.2', 2],
  ['10.3', 4],
  ['10.4', 11],
  ['10.5', 5],
  ['10.6', 2],
  ['10.7', 3],
  ['11.1', 2],
  ['11.2', 3],
  ['11.3', 3],
  ['11.4', 4],
  ['11.5', 1],
  ['11.6', 1],
  ['12.1', 3],
  ['12.2', 2],
  ['12.3', 4],
  ['13.1', 1],
  ['13.2', 5],
  ['13.3', 2],
  ['13.4', 5],
  ['14.1', 2],
  ['14.2', 4],
  ['14.3', 3],
  ['15.1', 3],
  ['15.2', 3],
  ['15.3', 7],
  ['16.1', 1],
  ['16.2', 5],
  ['16.3', 4],
  ['16.4', 3],
  ['16.5', 3],
  ['17.1', 1],
  ['17.2', 4],
  ['17.3', 2],
];
const STATES = ['met', 'partly met', 'not met', 'not applicable'];

const root = path.resolve(import.meta.dirname, '../..');
const text = readFileSync(path.join(root, 'docs/generated/asvs.md'), 'utf8');

interface Row {
  readonly item: string;
  readonly state: string;
  readonly how: string;
  readonly evidence: readonly { readonly file: string; readonly title: string }[];
}

const rows: readonly Row[] = text.split('\n').flatMap((line) => {
  if (!/^\| \d+\.\d+\.\d+ \|/.test(line)) return [];
  const [item = '', , state = '', how = '', shown = ''] = cellsOf(line);
  const evidence = shown
    .split('<br>')
    .filter((one) => one !== '')
    .map((one) => {
      const [, file = '', title = ''] = /^`([^`]+)`: “(.+)”$/.exec(one) ?? [];
      return { file, title: title.replaceAll('\\|', '|') };
    });
  return [{ item, state, how, evidence }];
});
const tests = asvsTags(root);

describe('docs/generated/asvs.md', () => {
  it('has each item of levels 1 and 2 of ASVS 5.0.0 once', () => {
    const wanted = SECTIONS.flatMap(([section, last]) =>
      Array.from({ length: last }, (_, i) => `${section}.${i + 1}`),
    );
    expect(rows.map(({ item }) => item)).toEqual(wanted);
    expect(wanted).toHaveLength(253);
  });

  it('counts what it says', () => {
    const count = (wanted: string): number => rows.filter(({ state }) => state === wanted).length;
    expect(rows.filter(({ state }) => !STATES.includes(state))).toEqual([]);
    expect(text).toContain(
      `${rows.length} items: ${count('met')} met, ${count('partly met')} partly met, ${count('not met')} not met, ` +
        `${count('not applicable')} not applicable.`,
    );
  });

  it('shows what is met, and says why not of what is not', () => {
    const bare = rows.filter(({ state, how, evidence }) =>
      state === 'met' ? evidence.length === 0 : how === '',
    );
    // The reason may be in the item's own words: “GraphQL: not used”.
    expect(bare.map(({ item }) => item)).toEqual([]);
  });

  it('names only pages that are there, and headings that stand in them', () => {
    const missing = rows.flatMap(({ item, evidence }) =>
      evidence
        .filter(({ file }) => !file.endsWith('.spec.ts'))
        .filter(({ file, title }) => {
          const at = path.join(root, file);
          return file === '' || !existsSync(at) || !readFileSync(at, 'utf8').includes(title);
        })
        .map(({ file, title }) => `${item}: ${file} “${title}”`),
    );
    expect(missing).toEqual([]);
  });
});

describe('the tags of tests', () => {
  it('name items that there are, and that the service does something about', () => {
    const known = new Map(rows.map(({ item, state }) => [item, state]));
    const wrong = tests.flatMap(({ file, items }) =>
      items
        .filter((item) => !['met', 'partly met'].includes(known.get(item) ?? ''))
        .map((item) => `${file}: ${item} is ${known.get(item) ?? 'no item'}`),
    );
    expect(wrong).toEqual([]);
  });

  it('stand in tests that can fail', () => {
    expect(tests.filter(({ asserts }) => !asserts).map(({ file, title }) => `${file}: ${title}`)).toEqual([]);
    expect(tests.length).toBeGreaterThan(100);
  });

  const [shows, expects] = ['// ASVS 1.1.1, 2.2.2', 'expect(1).toBe(1);'];
  it.each([
    ['in the title', ["it('x ASVS 1.1.1, 2.2.2', () => {", `  ${expects}`, '});'], true],
    ['in the body', ["it('x', () => {", `  ${shows}`, `  ${expects}`, '});'], true],
    ['of a table', ['it.each([', '  [1],', "])('x', () => {", `  ${shows}`, `  ${expects}`, '});'], true],
    [
      'by a helper',
      ['const ok = () => {', `  ${expects}`, '};', "it('x', () => {", `  ${shows}`, '  ok();', '});'],
      true,
    ],
    ['without an assertion', ["it('x', () => {", `  ${shows}`, '  say(1);', '});'], false],
  ])('are read: %s', (_, lines, asserts) => {
    const [test] = taggedIn('a.spec.ts', lines.join('\n'));
    expect(test).toMatchObject({ items: ['1.1.1', '2.2.2'], asserts });
    expect(test?.title).toMatch(/^x/);
  });

  it('are refused outside of every test', () => {
    expect(() => taggedIn('a.spec.ts', `${shows}\nit('x', () => ${expects})`)).toThrow(
      'a.spec.ts: a tag of ASVS stands outside of every test',
    );
  });
});
