import anyAscii from 'any-ascii';

/** A text that ISO-8859-1 can encode, and the number of its replaced characters. */
export interface Latin1Text {
  readonly text: string;
  /** Characters that were transliterated, or that became their code point. */
  readonly replaced: number;
}

// Line breaks and tabs become spaces, because the target formats have single-line fields.
const SPACE = /^\s$/u;
const WRITABLE = /^[\u0020-\u007e\u00a0-\u00ff]$/;
// Accents that NFC left alone, and invisible characters: joiners, direction marks, controls. The vowel signs of Indian
// and other scripts are marks too, but without them a name is another name.
const SHAPELESS = /^(?!\p{Alphabetic})[\p{M}\p{Cf}\p{Cc}]$/u;
const LETTER = /^\p{Alphabetic}$/u;
// A fast path: nearly every text is in NFC already and needs no change.
const UNCHANGED = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u00ff]*$/;

/**
 * Makes a text encodable in ISO-8859-1. Portuguese letters stay, in NFC. A character that the encoding lacks is
 * transliterated (`Ł` to `L`, `–` to `-`, `€` to `EUR`), or becomes its code point (`[U+102B1]`) if it has no
 * transliteration. Each white space becomes one space; accents and invisible characters are left out.
 */
export function toLatin1(text: string): Latin1Text {
  if (UNCHANGED.test(text)) return { text, replaced: 0 };
  let out = '';
  let replaced = 0;
  for (const character of text.normalize('NFC')) {
    if (SPACE.test(character)) out += ' ';
    else if (WRITABLE.test(character)) {
      // ISO-8859-1 can encode a soft hyphen, but it is invisible.
      out += character === '\u00ad' ? '' : character;
    } else if (!SHAPELESS.test(character)) {
      out += transliterate(character);
      replaced += 1;
    }
  }
  return { text: out, replaced };
}

function transliterate(character: string): string {
  const ascii = anyAscii(character).replace(/[^\x20-\x7e]/g, '');
  // Some letters of Tangut have only a question mark.
  const isUnknown = ascii.trim() === '' || (ascii.includes('?') && LETTER.test(character));
  return isUnknown ? codePointName(character) : ascii;
}

const codePointName = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;

/** Encodes the result of `toLatin1`, or markup. Throws if a character is not in ISO-8859-1. */
export function latin1Bytes(text: string): Buffer {
  for (let i = 0; i < text.length; i += 1) {
    if (text.charCodeAt(i) > 0xff) throw new Error('a text was not made for ISO-8859-1');
  }
  return Buffer.from(text, 'latin1');
}
