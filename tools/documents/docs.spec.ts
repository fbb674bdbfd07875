import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { anchorOf } from '#vigia/site';
import { describe, expect, it } from '@jest/globals';
import {
  permissions,
  permissionsOfRole,
  roles,
  strongPermissions,
} from '../../src/platform/http/access/permissions.js';
import { events } from '../../src/features/webhooks/events.dto.js';
import { generatedDocs } from './pages/generated-docs.js';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

describe('the generated documents', () => {
  const documents = [...generatedDocs(root)];

  // When this fails, the sources have changed: run `npm run docs`.
  it.each(documents)('%s is what the sources say now', (file, text) => {
    expect(readFileSync(path.join(root, file), 'utf8')).toBe(text);
  });

  it.each(documents)('%s has tables whose rows have as many cells as their heads', (_file, text) => {
    const rows = text.split('\n').filter((line) => line.startsWith('|'));
    const cells = (line: string): number => line.replaceAll('\\|', '').split('|').length;
    let width = 0;
    for (const [i, row] of rows.entries()) {
      if (rows[i + 1]?.startsWith('|---')) width = cells(row);
      expect([row, cells(row)]).toEqual([row, width]);
    }
  });
});

describe('the documents', () => {
  it('begin with one that is read in a few minutes', () => {
    const read = readFileSync(path.join(root, 'README.md'), 'utf8').replaceAll(/<!--.*?-->/g, '');
    const words = read.match(/\S+/g) ?? [];
    expect(words.length).toBeLessThanOrEqual(1_300);
  });

  const markdownIn = (folder: string): string[] =>
    readdirSync(path.join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => path.posix.join(folder, name));
  const guides = [...markdownIn('docs'), ...markdownIn('docs/generated'), ...markdownIn('docs/pt')];
  const decisions = markdownIn('docs/adr');
  const pages = [
    ...markdownIn('.'),
    ...['cli', 'go', 'node', 'python'].map((name) => `sdk/${name}/README.md`),
    ...guides,
    ...decisions,
  ];
  const textOf = (page: string): string => readFileSync(path.join(root, page), 'utf8');
  const anchorsOf = (page: string): string[] =>
    [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));
  const linksOf = (page: string): { file: string; anchor: string }[] =>
    [...textOf(page).matchAll(/\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)/g)].map(
      ([, file = '', anchor = '']) => ({
        file: file === '' ? page : path.join(path.dirname(page), file),
        anchor,
      }),
    );

  it.each(pages)('%s calls the two kinds of secrets of an application by one name each', (page) => {
    const other = /\b(webhook|endpoint|application|app|shared|API) secrets?\b|WEBHOOK_SECRET/gi;
    expect(textOf(page).match(other) ?? []).toEqual([]);
  });

  it.each(pages)('%s links to what is there', (page) => {
    const broken = linksOf(page).filter(
      ({ file, anchor }) =>
        !existsSync(path.join(root, file)) || (anchor !== '' && !anchorsOf(file).includes(anchor)),
    );
    expect(broken).toEqual([]);
  });

  it.each([
    { list: 'docs/README.md', listed: [...markdownIn('.'), ...guides] },
    { list: 'docs/adr/README.md', listed: decisions },
  ])('are all named in $list', ({ list, listed }) => {
    const linked = linksOf(list).map(({ file }) => file);
    expect(listed.filter((file) => file !== list && !linked.includes(file))).toEqual([]);
  });

  it('show which role has which permission, and which need a second factor', () => {
    const table = [...textOf('docs/operators.md').matchAll(/^\| `[a-z]+:[a-z]+`.*$/gm)].map(([row]) => row);
    const rows = permissions.map((permission) => {
      const cells = roles.map((role) => (permissionsOfRole[role].includes(permission) ? 'yes' : ''));
      return `| \`${permission}\`${strongPermissions.has(permission) ? ' **2**' : ''} | ${cells.join(' | ')} |`;
    });
    expect(table).toEqual(rows);
  });

  it('say of every event when it comes and what it holds', () => {
    const rows = new Map(
      [...textOf('docs/webhooks.md').matchAll(/^\| `([\w.]+)` \|.*$/gm)].map(([row, type = '']) => [
        type,
        row,
      ]),
    );
    for (const [type, { example }] of Object.entries(events)) {
      const missing = Object.keys(example).filter((name) => rows.get(type)?.includes(`\`${name}`) !== true);
      expect([type, missing]).toEqual([type, []]);
    }
  });

  it.each(pages)('%s names files that exist', (page) => {
    const files = [...textOf(page).matchAll(/`((?:src|launcher|test|scripts|sdk)\/[\w./-]+)`/g)].map(
      ([, file = '']) => file,
    );
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });
});
