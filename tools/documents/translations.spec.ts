import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { lexer, type Token, type Tokens } from 'marked';

/** The pages in Portuguese, by file; the English one has the same name, and that of README.md is the first of all. */
const pages = readdirSync('docs/pt').map((name) => ({
  translation: `docs/pt/${name}`,
  original: name === 'README.md' ? name : `docs/${name}`,
}));

/** Lists what a text says in any language: names in code, figures without the marks within them, and its links. */
function factsIn(text: string): string[] {
  const code = [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  const prose = text.replaceAll(/`[^`]+`/g, '');
  const links = prose.match(/\]\(/g) ?? [];
  const figures = prose.replaceAll(/\]\([^)]*\)/g, '').match(/\d[\d.,]*/g) ?? [];
  return [...code, ...links, ...figures.map((figure) => figure.replaceAll(/[.,]/g, ''))].sort();
}

/** Returns the blocks of a page in their order, each with what a translation leaves as it is. */
function outlineOf(markdown: string): (string | string[])[] {
  const blocksOf = (token: Token): (string | string[])[] => {
    switch (token.type) {
      case 'space':
        return [];
      case 'code':
        return [token.raw.trimEnd()];
      case 'heading':
        return [[`heading ${(token as Tokens.Heading).depth}`, ...factsIn(token.raw)]];
      case 'list':
        return (token as Tokens.List).items.flatMap((item) => [['item'], ...item.tokens.flatMap(blocksOf)]);
      case 'table': {
        const { header, rows } = token as Tokens.Table;
        return [header, ...rows].map((row) => ['row', ...row.flatMap(({ text }) => ['|', ...factsIn(text)])]);
      }
      default:
        return [[token.type, ...factsIn(token.raw)]];
    }
  };
  return lexer(markdown.replaceAll(/ *<!--.*?-->/g, '')).flatMap(blocksOf);
}

const outlineOfFile = (file: string): (string | string[])[] => outlineOf(readFileSync(file, 'utf8'));

describe('a page in Portuguese', () => {
  it.each(pages)('$translation has all blocks, code, figures and links of $original', (page) => {
    expect(outlineOfFile(page.translation)).toEqual(outlineOfFile(page.original));
  });

  it.each([
    ['a heading', '# A\n\n## B\n\nText.', '# A\n\nText.'],
    ['the level of a heading', '## B', '### B'],
    [
      'a row of a table',
      '| a | b |\n|---|---|\n| `x` | 1 |\n| `y` | 2 |',
      '| a | b |\n|---|---|\n| `x` | 1 |',
    ],
    ['a letter of code', '```sh\nls -l\n```', '```sh\nls -a\n```'],
    ['a code in a sentence', 'It is `A` or `B`.', 'É `A`.'],
    ['a figure', 'At most 1,500.', 'No máximo 1.050.'],
    ['a link', 'See [here](a.md).', 'Veja aqui.'],
    ['an item', '- one\n- two', '- um'],
    ['a paragraph', 'One.\n\nTwo.', 'Um.'],
  ])('differs where %s is not the same', (_what, original, translation) => {
    expect(outlineOf(translation)).not.toEqual(outlineOf(original));
  });

  it('may write figures and sentences as Portuguese does', () => {
    expect(outlineOf('Do `x` at R$ 50,000.00, then [y](z.md#a).')).toEqual(
      outlineOf('Com R$ 50.000,00, [y](../z.md#b), depois `x`.'),
    );
  });
});
