import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { toLatin1 } from '../kernel/values/latin-1.js';
import { TextLayout } from './text-layout.js';

const face = { font: { id: 'F1', ascender: 0, ref: () => null }, widths: new Float64Array(256).fill(0.5) };
const layout = new TextLayout({ plain: face, bold: face });
const printed = (text: string): string =>
  layout
    .wrap(text, {}, 200)
    .map((line) =>
      Buffer.from(/<(.*)>/.exec(layout.draw(line, 0, 0, {}))?.[1] ?? '', 'hex').toString('latin1'),
    )
    .join('');

const LETTERS = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point)).filter(
  (character) => /^[\p{Alphabetic}\p{N}]$/u.test(character) && character.normalize('NFC') === character,
);

describe('a printed name', () => {
  it('shows every letter of every script: itself, its transliteration or its code point', () => {
    const lost = LETTERS.filter((letter) => {
      const { text } = toLatin1(letter);
      return text.trim() === '' || text.includes('?');
    });
    expect(LETTERS.length).toBeGreaterThan(130_000);
    expect(lost).toEqual([]);
  });

  it('has no question mark that was not written, and each of its letters in its place', () => {
    const letter = fc.nat(LETTERS.length - 1).map((i) => LETTERS[i] ?? '');
    const name = fc.array(letter, { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(name, (letters) => {
        const text = letters.join(' - ');
        const each = letters.map((letter) => toLatin1(letter).text.replaceAll(' ', ''));
        expect(printed(text).replaceAll(' ', '')).toBe(each.join('-'));
        expect(printed(text)).not.toContain('?');
      }),
    );
  });

  it.each([
    ['किशोर', 'kisor'],
    ['สมชาย', 'smchay'],
    ['محمد', 'mhmd'],
    ['𐊱a', '[U+102B1]a'],
    ['Łukasz João?', 'Lukasz João?'],
    ['e\u0301\u200d', 'é'],
  ])('%s is %s', (text, shown) => {
    expect(printed(text)).toBe(shown);
  });
});
