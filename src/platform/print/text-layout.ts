import { toLatin1 } from '../kernel/values/latin-1.js';

export interface TextStyle {
  readonly size?: number;
  readonly bold?: boolean;
  readonly color?: string;
  readonly indent?: number;
}

export interface PdfFont {
  readonly id: string;
  /** In thousandths of the font size. */
  readonly ascender: number;
  ref(): unknown;
}

/** A font with its character widths, as fractions of the font size. */
export interface FontFace {
  readonly font: PdfFont;
  readonly widths: Float64Array;
}

export const BODY = 9;
export const LINE = 1.32;
export const INK = '#1b1f24';
export const GREY = '#5b6672';
export const RULE = '#d5dae0';
export const ACCENT = '#0b3d91';

/** Measures texts and breaks them into lines. */
export class TextLayout {
  constructor(private readonly faces: { readonly plain: FontFace; readonly bold: FontFace }) {}

  face({ bold = false }: TextStyle): FontFace {
    return bold ? this.faces.bold : this.faces.plain;
  }

  width(text: string, style: TextStyle): number {
    const { widths } = this.face(style);
    let width = 0;
    for (let i = 0; i < text.length; i += 1) width += widths[text.charCodeAt(i)] ?? 0;
    return width * (style.size ?? BODY);
  }

  /** Returns the operators that draw one line at a point, measured from the bottom left. */
  draw(text: string, x: number, y: number, style: TextStyle): string {
    const { size = BODY, color = INK } = style;
    const hex = Buffer.from(toLatin1(text).text, 'latin1').toString('hex');
    return `BT /${this.face(style).font.id} ${size} Tf ${pdfColourOf(color)} rg 1 0 0 1 ${x.toFixed(2)} ${y.toFixed(2)} Tm [<${hex}>] TJ ET`;
  }

  cut(text: string, style: TextStyle, width: number): string {
    const [first = '', ...more] = this.wrap(text, style, width);
    return more.length === 0 ? first : `${first.slice(0, -1)}...`;
  }

  /** Breaks a text into lines of at most `width`. A single word that is wider is broken at any character. */
  wrap(text: string, style: TextStyle, width: number): string[] {
    const lines: string[] = [];
    const space = this.width(' ', style);
    let line = '';
    let usedWidth = 0;
    for (const word of toLatin1(text).text.split(/ +/)) {
      for (let rest = word; rest !== '';) {
        const part = this.longestFit(rest, style, width);
        const size = this.width(part, style);
        if (line !== '' && usedWidth + space + size > width) {
          lines.push(line);
          line = '';
          usedWidth = 0;
        }
        usedWidth += (line === '' ? 0 : space) + size;
        line = line === '' ? part : `${line} ${part}`;
        rest = rest.slice(part.length);
      }
    }
    return [...lines, line];
  }

  private longestFit(word: string, style: TextStyle, width: number): string {
    if (this.width(word, style) <= width) return word;
    let length = word.length;
    while (length > 1 && this.width(word.slice(0, length), style) > width) {
      length = Math.ceil(length * 0.8) - (length < 6 ? 1 : 0);
    }
    return word.slice(0, Math.max(1, length));
  }
}

/** Converts `#1b1f24` to the three fractions of a PDF colour. */
export const pdfColourOf = (color: string): string =>
  [1, 3, 5].map((at) => (parseInt(color.slice(at, at + 2), 16) / 255).toFixed(3)).join(' ');
