import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A test that says which items of ASVS it shows. */
export interface TaggedTest {
  readonly file: string;
  readonly title: string;
  readonly items: readonly string[];
  /** Whether it can fail: it calls `expect`, or a function of its file that does. */
  readonly asserts: boolean;
}

const TAG = /\bASVS ((?:\d+\.\d+\.\d+(?:, )?)+)/g;
const ASSERTION = /\bexpect\w*[.(<]|\.expect\(|\bfc\.assert\(|\beventually\(/;
const TEST = /^( *)(?:it|test|again|later|promised|promisedLater|inOneWay)(?:\.each\b.*|\()/;
const HELPER = /^( *)(?:export )?(?:const (\w+)\b.* =|(?:async )?function (\w+))/;

/** The tests of the project that carry a tag: `ASVS 6.2.1, 6.2.2` in the title or in the body. */
export function asvsTags(root: string): TaggedTest[] {
  return ['src', 'test', 'tools'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.spec.ts') && !name.endsWith('asvs.spec.ts'))
      .map((name) => path.posix.join(folder, name.replaceAll(path.sep, '/')))
      .sort()
      .flatMap((file) => taggedIn(file, readFileSync(path.join(root, file), 'utf8'))),
  );
}

/**
 * The tagged tests of one file, which is laid out by the formatter: a block ends at the first line of its own indentation
 * that closes it. A tag outside of every test shows nothing, so it stops whoever asks.
 */
export function taggedIn(file: string, text: string): TaggedTest[] {
  if (itemsOf(text).length === 0) return [];
  const lines = text.split('\n');
  const helpers = blocks(lines, HELPER)
    .filter(({ body }) => ASSERTION.test(body))
    .flatMap(({ names }) => names.slice(2).filter((name) => name !== undefined));
  const tests = blocks(lines, TEST)
    .map(({ body }) => ({ body, items: itemsOf(body) }))
    .filter(({ items }) => items.length > 0)
    .map(({ body, items }) => ({
      file,
      title: titleOf(body),
      items,
      asserts: ASSERTION.test(body) || helpers.some((name) => new RegExp(`\\b${name}\\(`).test(body)),
    }));
  if (itemsOf(text).length !== tests.reduce((sum, { items }) => sum + items.length, 0)) {
    throw new Error(`${file}: a tag of ASVS stands outside of every test`);
  }
  return tests;
}

const itemsOf = (text: string): string[] =>
  [...text.matchAll(TAG)].flatMap(([, items = '']) => items.split(', ').filter((item) => item !== ''));

interface Block {
  readonly names: readonly (string | undefined)[];
  readonly body: string;
}

function blocks(lines: readonly string[], begins: RegExp): Block[] {
  return lines.flatMap((line, at) => {
    const names = begins.exec(line);
    if (!names) return [];
    const ends = new RegExp(`^${names[1] ?? ''}[^ ].*;$|^${names[1] ?? ''}}$`);
    const length = lines.slice(at).findIndex((one) => ends.test(one));
    return [{ names: [...names], body: lines.slice(at, at + length + 1).join('\n') }];
  });
}

/** The text of a test: the first one after `it(`, or after the table of `it.each`. */
function titleOf(body: string): string {
  const isTable = /^ *(?:it|test)\.each/.test(body);
  const from = isTable ? body.search(/[\])`]\(\s*['"`]/) + 1 : 0;
  const [, , title = ''] = /\(\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/.exec(body.slice(from)) ?? [];
  return title.replace(/\\(.)/g, '$1');
}
