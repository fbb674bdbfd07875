import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';

const PAGES = [
  'README.md',
  ...['approvals', 'customers', 'reviews', 'integrating', 'audit'].map((name) => `docs/${name}.md`),
];
/** Words of a promise: what never, always or by nobody alone happens, and what the database refuses. */
const PROMISE = /\b([Nn]ever|[Aa]lways|[Nn]obody (decides )?alone|[Tt]he database (refuses|closes|lets))\b/;
/** Names the test that would fail were the sentence before it false. Readers do not see it. */
const NAMED = /<!-- test: (\S+) \| (.+?) -->/g;

/** The sentences of a page, each with the comments behind it; without code, tables and headings. */
const sentencesOf = (page: string): string[] =>
  readFileSync(page, 'utf8')
    .replace(/```.*?```/gs, '')
    .split('\n')
    .filter((line) => !/^[|#]/.test(line))
    .flatMap((line) => line.split(/(?<=[.:;]|-->)\s+(?=[A-Z`*])/));

/** True for an item of the list of promises in README. */
const isListed = (page: string, sentence: string): boolean =>
  page === 'README.md' && /^- \*\*[^*:]+\*\*/.test(sentence) && !/^- \*\*[^*]+\*\*:/.test(sentence);

it('each sentence of promise names a test', () => {
  const without = PAGES.flatMap((page) =>
    sentencesOf(page)
      .filter((sentence) => PROMISE.test(sentence) || isListed(page, sentence))
      .filter((sentence) => sentence.match(NAMED) === null)
      .map((sentence) => `${page}: ${sentence}`),
  );
  expect(without).toEqual([]);
});

it('each test that is named there is there', () => {
  const named = PAGES.flatMap((page) => [...readFileSync(page, 'utf8').matchAll(NAMED)]);
  const files = ['test', 'src'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
  );
  const missing = named
    .filter(([, file, title]) => {
      const found = files.filter((one) => path.basename(one) === file);
      return !found.some((one) => readFileSync(one, 'utf8').includes(title ?? ''));
    })
    .map(([comment]) => comment);
  expect(named.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});
