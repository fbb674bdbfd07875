import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import PDFDocument from 'pdfkit';
import { toLatin1 } from '../kernel/values/latin-1.js';

export interface PdfHead {
  readonly title: string;
  readonly author: string;
  readonly language: string;
  readonly madeAt: Date;
  /** Stands at the foot of every page, before the number of the page. */
  readonly foot: string;
  /** `Page` and `of`. */
  readonly pageWord: string;
  readonly ofWord: string;
}

interface Style {
  readonly size?: number;
  readonly bold?: boolean;
  readonly color?: string;
  readonly indent?: number;
}

interface PdfFont {
  readonly id: string;
  /** In thousandths of the size. */
  readonly ascender: number;
  ref(): unknown;
}

/** A font with the widths of its characters, in parts of the size. */
interface Face {
  readonly font: PdfFont;
  readonly widths: Float64Array;
}

/** The parts of pdfkit that are not in its public types: how its objects are made. */
interface Internals {
  readonly _font: PdfFont;
  readonly page: {
    readonly height: number;
    readonly fonts: Record<string, unknown>;
    readonly xobjects: Record<string, unknown>;
  };
  ref(data: object): { write(text: string): void; end(): void };
  addContent(text: string): void;
}

const MARGIN = 48;
const FOOT = 34;
const BODY = 9;
const LINE = 1.32;
const INK = '#1b1f24';
const GREY = '#5b6672';
const RULE = '#d5dae0';
const ACCENT = '#0b3d91';
const FONT = { plain: 'Helvetica', bold: 'Helvetica-Bold' } as const;
const TOTAL = 'TotalPages';
// The writer pauses when this many bytes wait for a slow receiver.
const HIGH_WATER = 1_048_576;
const PAUSE_MS = 2;

/**
 * Writes a PDF page by page to a stream, in bounded memory: a page is gone when the next one begins. The number of all
 * pages, which nobody knows before the end, stands in one object that every page shows and that is written last. The
 * fonts are the standard ones, whose encoding has every letter of Portuguese; what it lacks is transliterated.
 */
export class PdfWriter {
  private readonly doc: PDFKit.PDFDocument;
  private readonly sent: Promise<void>;
  private readonly faces: { readonly plain: Face; readonly bold: Face };
  private readonly total: { write(text: string): void; end(): void };
  private failed = false;
  private pages = 0;
  private y = MARGIN;
  /** The drawing of the page, handed to the library at its end: a piece for each line would be a buffer for each. */
  private drawn: string[] = [];

  constructor(
    private readonly head: PdfHead,
    output: Writable,
  ) {
    this.doc = new PDFDocument({
      size: 'A4',
      margin: MARGIN,
      autoFirstPage: false,
      bufferPages: false,
      lang: head.language,
      displayTitle: true,
      info: { Title: head.title, Author: head.author, CreationDate: head.madeAt, ModDate: head.madeAt },
    });
    this.sent = pipeline(this.doc as unknown as NodeJS.ReadableStream, output);
    // Heard when `finish` awaits it; a receiver that leaves in the middle is no unhandled rejection.
    this.sent.catch(() => {
      this.failed = true;
    });
    this.faces = { plain: this.face(FONT.plain), bold: this.face(FONT.bold) };
    const { font } = this.faces.plain;
    this.total = this.inside.ref({
      Type: 'XObject',
      Subtype: 'Form',
      FormType: 1,
      BBox: [0, -4, 40, 12],
      Resources: { Font: { [font.id]: font.ref() } },
    });
    this.addPage();
  }

  /** Gives everybody else a turn, and waits until the receiver has taken most of what was written; throws when it left. */
  async drain(): Promise<void> {
    await nextTurn();
    while ((this.doc as unknown as { readableLength: number }).readableLength > HIGH_WATER) {
      if (this.failed) break;
      await pause(PAUSE_MS);
    }
    if (this.failed) await this.sent;
  }

  async finish(): Promise<void> {
    this.endPage();
    const { font } = this.faces.plain;
    this.total.write(`BT /${font.id} 7 Tf 0.36 0.4 0.45 rg 0 0 Td (${this.pages}) Tj ET`);
    this.total.end();
    this.doc.end();
    await this.sent;
  }

  title(text: string): void {
    this.lines(text, { size: 18, bold: true, color: ACCENT });
    this.y += 2;
  }

  heading(text: string): void {
    this.need(64);
    this.y += 14;
    this.lines(text, { size: 12.5, bold: true, color: ACCENT });
    this.line();
    this.y += 6;
  }

  subheading(text: string): void {
    this.need(40);
    this.y += 7;
    this.lines(text, { size: 10, bold: true });
    this.y += 1;
  }

  paragraph(text: string, style: Style = {}): void {
    this.lines(text, style);
  }

  /** Label and value on a line each, the values one below the other. */
  values(rows: readonly (readonly [label: string, value: string])[], labelWidth = 150): void {
    for (const [label, value] of rows) {
      const size = BODY;
      const wrapped = this.wrap(value, { size }, this.width - labelWidth);
      this.need(wrapped.length * size * LINE);
      this.put(label, MARGIN, { size, color: GREY });
      for (const part of wrapped) {
        this.put(part, MARGIN + labelWidth, { size });
        this.y += size * LINE;
      }
      this.y += 1.5;
    }
  }

  /** A line of text on the left and another on the right. */
  apart(left: string, right: string, style: Style = {}): void {
    const size = style.size ?? BODY;
    this.need(size * LINE * 2);
    const printable = toLatin1(right).text;
    const width = this.widthOf(printable, style);
    this.put(this.cut(left, style, this.width - width - 12), MARGIN, style);
    this.put(printable, MARGIN + this.width - width, style);
    this.y += size * LINE;
  }

  gap(height: number): void {
    this.y += height;
  }

  line(color = RULE): void {
    const y = (this.doc.page.height - this.y).toFixed(2);
    this.drawn.push(
      `q 0.5 w ${inkOf(color)} RG ${MARGIN} ${y} m ${(MARGIN + this.width).toFixed(2)} ${y} l S Q`,
    );
    this.y += 2;
  }

  private get inside(): Internals {
    return this.doc as unknown as Internals;
  }

  private get width(): number {
    return this.doc.page.width - 2 * MARGIN;
  }

  private lines(text: string, style: Style): void {
    const size = style.size ?? BODY;
    const indent = style.indent ?? 0;
    for (const part of this.wrap(text, style, this.width - indent)) {
      this.need(size * LINE);
      this.put(part, MARGIN + indent, style);
      this.y += size * LINE;
    }
  }

  private need(height: number): void {
    if (this.y + height > this.doc.page.height - MARGIN - FOOT) this.addPage();
  }

  private addPage(): void {
    if (this.pages > 0) this.endPage();
    // The margin would make the library begin a page of its own when the foot is written.
    this.doc.addPage({ size: 'A4', margin: 0 });
    this.pages += 1;
    // The library turns the page upside down; this turns it back, as text and the origin of PDF want it.
    this.drawn.push(`1 0 0 -1 0 ${this.doc.page.height.toFixed(2)} cm`);
    this.foot();
    this.y = MARGIN;
  }

  private endPage(): void {
    this.inside.addContent(this.drawn.join('\n'));
    this.drawn = [];
  }

  private foot(): void {
    const { height } = this.doc.page;
    const at = height - MARGIN + 4;
    this.y = at - 8;
    this.line();
    this.y = at;
    const style = { size: 7, color: GREY };
    this.put(this.cut(this.head.foot, style, this.width - 76), MARGIN, style);
    const text = toLatin1(`${this.head.pageWord} ${this.pages} ${this.head.ofWord} `).text;
    const width = this.widthOf(text, style);
    const x = MARGIN + this.width - 22;
    this.put(text, x - width, style);
    const { page } = this.inside;
    page.xobjects[TOTAL] = this.total;
    this.drawn.push(`q 1 0 0 1 ${x.toFixed(2)} ${(height - at - 5.2).toFixed(2)} cm /${TOTAL} Do Q`);
  }

  /** The widths without kerning: what is measured is never narrower than what is drawn. */
  private face(name: string): Face {
    this.doc.font(name).fontSize(1_000);
    const { _font: font } = this.inside;
    const widths = Float64Array.from({ length: 256 }, (_, code) =>
      code < 0x20 ? 0 : this.doc.widthOfString(String.fromCharCode(code)) / 1_000,
    );
    return { font, widths };
  }

  private faceOf({ bold = false }: Style): Face {
    return bold ? this.faces.bold : this.faces.plain;
  }

  private widthOf(text: string, style: Style): number {
    const { widths } = this.faceOf(style);
    let width = 0;
    for (let i = 0; i < text.length; i += 1) width += widths[text.charCodeAt(i)] ?? 0;
    return width * (style.size ?? BODY);
  }

  /** Draws one line. As operators of our own: the library lays out every word again, which costs ten times as much. */
  private put(text: string, x: number, style: Style): void {
    const { size = BODY, color = INK } = style;
    const { font } = this.faceOf(style);
    const { page } = this.inside;
    page.fonts[font.id] ??= font.ref();
    const y = page.height - this.y - (font.ascender / 1_000) * size;
    const hex = Buffer.from(toLatin1(text).text, 'latin1').toString('hex');
    this.drawn.push(
      `BT /${font.id} ${size} Tf ${inkOf(color)} rg 1 0 0 1 ${x.toFixed(2)} ${y.toFixed(2)} Tm [<${hex}>] TJ ET`,
    );
  }

  private cut(text: string, style: Style, width: number): string {
    const [first = '', ...more] = this.wrap(text, style, width);
    return more.length === 0 ? first : `${first.slice(0, -1)}...`;
  }

  /** Breaks a text into lines that are no wider; a word that is wider itself is broken anywhere. */
  private wrap(text: string, style: Style, width: number): string[] {
    const lines: string[] = [];
    const space = this.widthOf(' ', style);
    let line = '';
    let used = 0;
    for (const word of toLatin1(text).text.split(/ +/)) {
      for (let rest = word; rest !== '';) {
        const part = this.fitting(rest, style, width);
        const size = this.widthOf(part, style);
        if (line !== '' && used + space + size > width) {
          lines.push(line);
          line = '';
          used = 0;
        }
        used += (line === '' ? 0 : space) + size;
        line = line === '' ? part : `${line} ${part}`;
        rest = rest.slice(part.length);
      }
    }
    return [...lines, line];
  }

  private fitting(word: string, style: Style, width: number): string {
    if (this.widthOf(word, style) <= width) return word;
    let length = word.length;
    while (length > 1 && this.widthOf(word.slice(0, length), style) > width) {
      length = Math.ceil(length * 0.8) - (length < 6 ? 1 : 0);
    }
    return word.slice(0, Math.max(1, length));
  }
}

/** `#1b1f24` as the three shares that PDF wants. */
const inkOf = (color: string): string =>
  [1, 3, 5].map((at) => (parseInt(color.slice(at, at + 2), 16) / 255).toFixed(3)).join(' ');
