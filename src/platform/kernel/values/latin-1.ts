import anyAscii from 'any-ascii';

/** A text that ISO-8859-1 can write, and how many of its characters had to be written otherwise. */
export interface Latin1Text {
  readonly text: string;
  /** Characters that were transliterated, or that became a question mark. */
  readonly replaced: number;
}

// White space of any kind becomes a space: the fields of the formats are single lines.
const SPACE = /^\s$/u;
const WRITABLE = /^[\u0020-\u007e\u00a0-\u00ff]$/;
// Marks that no letter absorbed, and characters without a shape: joiners, direction marks, controls.
const SHAPELESS = /^[\p{M}\p{Cf}\p{Cc}]$/u;
const UNKNOWN = '?';
// Nearly every text is composed already and needs no change.
const AS_IT_IS = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u00ff]*$/;

/**
 * Writes a text so that ISO-8859-1 holds it. Letters of Portuguese stay as they are, however they were composed; a
 * character that the encoding lacks is transliterated (`Ł` to `L`, `–` to `-`, `€` to `EUR`), or becomes `?` when it has no
 * transliteration. White space becomes one space each; marks and controls without a shape of their own are left out.
 */
export function toLatin1(text: string): Latin1Text {
  if (AS_IT_IS.test(text)) return { text, replaced: 0 };
  let out = '';
  let replaced = 0;
  for (const character of text.normalize('NFC')) {
    if (SPACE.test(character)) out += ' ';
    else if (WRITABLE.test(character)) {
      // A soft hyphen is writable and has no shape.
      out += character === '\u00ad' ? '' : character;
    } else if (!SHAPELESS.test(character)) {
      out += transliterated(character);
      replaced += 1;
    }
  }
  return { text: out, replaced };
}

function transliterated(character: string): string {
  const ascii = anyAscii(character).replace(/[^\x20-\x7e]/g, '');
  return ascii === '' ? UNKNOWN : ascii;
}

/** The bytes of a text that `toLatin1` made, or of the markup around it. */
export function latin1Bytes(text: string): Buffer {
  for (let i = 0; i < text.length; i += 1) {
    if (text.charCodeAt(i) > 0xff) throw new Error('a text was not made for ISO-8859-1');
  }
  return Buffer.from(text, 'latin1');
}
