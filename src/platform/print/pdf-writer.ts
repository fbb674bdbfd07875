import type { Writable } from 'node:stream';
import { toLatin1 } from '../kernel/values/latin-1.js';
import { MARGIN, type PdfHead, type PdfRef, PdfSheets } from './pdf-sheets.js';
import { ACCENT, BODY, GREY, LINE, type TextStyle } from './text-layout.js';

/** A line of the table of contents, until its section is drawn. */
interface ContentsEntry {
  readonly number: PdfRef;
  readonly link: PdfRef;
}

export interface TableColumn {
  readonly title: string;
  /** The width of the column, relative to the shares of the other columns. */
  readonly share: number;
  readonly right?: boolean;
}

interface OutlineItem {
  readonly dictionary: { readonly data: object };
  addItem(title: string): OutlineItem;
}

const HEADER = { size: 7.5, bold: true, color: GREY } as const;
const CELL = { size: 8 } as const;
const PADDING = 3;
const GUTTER = 8;
const PICTURE = { width: 230, height: 300 } as const;

/**
 * Writes a PDF page by page to a stream, with tagged headings, paragraphs, lists and tables, a linked table of contents,
 * and bookmarks. It uses the standard fonts, whose encoding has every Portuguese letter; other characters are
 * transliterated.
 */
export class PdfWriter {
  private readonly entries = new Map<string, ContentsEntry>();
  private isInSection = false;
  private bookmark: OutlineItem | null = null;
  private columns: readonly TableColumn[] = [];

  private constructor(private readonly sheets: PdfSheets) {}

  static async open(head: PdfHead, output: Writable): Promise<PdfWriter> {
    return new PdfWriter(await PdfSheets.open(head, output));
  }

  async drain(): Promise<void> {
    await this.sheets.drain();
  }

  async finish(): Promise<void> {
    const [missing] = this.entries.keys();
    if (missing !== undefined) throw new Error(`the contents name a section that is not there: ${missing}`);
    await this.sheets.finish();
  }

  title(text: string): void {
    this.sheets.drawTagged('H1', () => {
      this.drawLines(text, { size: 18, bold: true, color: ACCENT });
    });
    this.gap(2);
  }

  /** Draws the table of contents: the sections that follow, each with its page and a link. */
  contents(title: string, sections: readonly string[]): void {
    this.drawHeadline(title);
    const { sheets } = this;
    sheets.tags.begin('TOC');
    for (const [i, section] of sections.entries()) {
      sheets.ensureRoom(BODY * LINE + 3);
      sheets.tags.begin('TOCI');
      sheets.drawTagged('Link', () => {
        this.entries.set(section, this.addEntry(section, `Page${i}`));
      });
      sheets.tags.end();
    }
    sheets.tags.end();
  }

  heading(text: string): void {
    if (this.isInSection) this.sheets.tags.end();
    this.sheets.tags.begin('Sect');
    this.isInSection = true;
    this.drawHeadline(text);
    const { outline } = this.sheets.doc as unknown as { outline: OutlineItem };
    this.bookmark = this.addBookmark(outline, text, 26);
  }

  subheading(text: string, { inBookmarks = true } = {}): void {
    const { sheets } = this;
    sheets.ensureRoom(48);
    this.gap(7);
    sheets.drawTagged('H3', () => {
      this.drawLines(text, { size: 10, bold: true });
    });
    if (inBookmarks && this.bookmark) this.addBookmark(this.bookmark, text, 18);
    this.gap(1);
  }

  paragraph(text: string, style: TextStyle = {}): void {
    this.sheets.drawTagged('P', () => {
      this.drawLines(text, style);
    });
  }

  /** Draws texts below each other that a screen reader reads as one paragraph. */
  paragraphs(texts: readonly string[], style: TextStyle = {}): void {
    this.sheets.drawTagged('P', () => {
      for (const text of texts) this.drawLines(text, style);
    });
  }

  /** Draws a bulleted list. The first text of an entry is the entry itself, the others explain it. */
  list(items: readonly (readonly [text: string, ...more: string[]])[], style: TextStyle = {}): void {
    const { sheets } = this;
    const { indent = 0, size = BODY } = style;
    sheets.tags.begin('L');
    for (const [text, ...more] of items) {
      sheets.ensureRoom(size * LINE);
      sheets.tags.begin('LI');
      sheets.drawTagged('Lbl', () => {
        sheets.drawLine('\u00b7', MARGIN + indent, { ...style, bold: true });
      });
      sheets.drawTagged('LBody', () => {
        this.drawLines(text, { ...style, indent: indent + 8 });
        for (const line of more) this.drawLines(line, { size: size - 0.5, color: GREY, indent: indent + 8 });
      });
      sheets.tags.end();
    }
    sheets.tags.end();
  }

  /** Draws labels with values, one pair per line, with the values aligned. */
  values(rows: readonly (readonly [label: string, value: string])[], labelWidth = 150): void {
    const { sheets } = this;
    const size = BODY;
    sheets.tags.begin('Table');
    for (const [label, value] of rows) {
      sheets.ensureRoom(size * LINE);
      sheets.tags.begin('TR');
      sheets.drawTagged(
        'TH',
        () => {
          sheets.drawLine(label, MARGIN, { size, color: GREY });
        },
        scopeAttribute('Row'),
      );
      sheets.drawTagged('TD', () => {
        this.drawLines(value, { size, indent: labelWidth });
      });
      sheets.tags.end();
      this.gap(1.5);
    }
    sheets.tags.end();
  }

  /** Begins a table; its header is repeated on each page. */
  beginTable(columns: readonly TableColumn[]): void {
    const { sheets } = this;
    this.columns = columns;
    sheets.ensureRoom(48);
    sheets.tags.begin('Table');
    sheets.tags.begin('TR');
    this.drawCells(
      columns.map(({ title }) => [title]),
      HEADER,
      'TH',
    );
    sheets.tags.end();
    this.sheets.line();
    this.gap(2);
  }

  row(texts: readonly string[]): void {
    const { sheets, columns } = this;
    const widths = this.columnWidths();
    const cells = texts.map((text, i) => sheets.layout.wrap(text, CELL, widths[i] ?? 0));
    const height = Math.max(...cells.map((lines) => lines.length)) * CELL.size * LINE + PADDING;
    if (sheets.ensureRoom(height)) {
      sheets.artifact(() => {
        this.drawCells(
          columns.map(({ title }) => [title]),
          HEADER,
          null,
        );
      });
      sheets.line();
      this.gap(2);
    }
    sheets.tags.begin('TR');
    this.drawCells(cells, CELL, 'TD');
    sheets.tags.end();
    this.gap(PADDING - 1);
  }

  endTable(): void {
    this.sheets.unmark();
    this.sheets.tags.end();
    this.gap(2);
  }

  /** Draws a line with one text on the left and another on the right. */
  lineWithAside(left: string, right: string, style: TextStyle & { readonly as?: 'P' | 'H3' } = {}): void {
    const { sheets } = this;
    const size = style.size ?? BODY;
    sheets.ensureRoom(size * LINE * (style.as === 'H3' ? 4 : 1));
    const printable = toLatin1(right).text;
    const width = sheets.layout.width(printable, style);
    sheets.drawTagged(style.as ?? 'P', () => {
      sheets.drawLine(`${sheets.layout.cut(left, style, sheets.width - width - 12)} `, MARGIN, style);
      sheets.drawLine(printable, MARGIN + sheets.width - width, style);
    });
    this.gap(size * LINE);
  }

  /** Draws a block without a page break, on a new page if necessary. Only a block longer than a page is broken. */
  block(draw: () => void): void {
    const { sheets } = this;
    const height = sheets.heightOf(draw);
    // Adds a point of tolerance, because the sum of fractions depends on the order of addition.
    if (height + 1 < sheets.room) sheets.ensureRoom(height + 1);
    draw();
  }

  /** Draws a picture; its alternative text is also printed below it. */
  picture(content: Uint8Array, words: string): void {
    const { sheets } = this;
    sheets.ensureRoom(PICTURE.height / 2);
    const alt = Buffer.from(`\ufeff${words}`, 'utf16le').swap16().toString('hex');
    sheets.drawTagged(
      'Figure',
      () => {
        sheets.picture(content, MARGIN, PICTURE);
      },
      `/Alt<${alt}>/A<</O/Layout/Placement/Block>>`,
    );
    this.paragraph(words, { size: 7.5, color: GREY });
    this.gap(8);
  }

  gap(height: number): void {
    this.sheets.y += height;
  }

  private drawHeadline(text: string): void {
    const { sheets } = this;
    // Keeps a heading from being the last line of a page.
    sheets.ensureRoom(110);
    this.gap(14);
    const entry = this.entries.get(text);
    if (entry) {
      const { page } = sheets.inside;
      const Dest = [page.dictionary, 'XYZ', null, page.height - sheets.y + 6, null];
      Object.assign(entry.link.data, { Dest });
      entry.link.end();
      sheets.fillText(entry.number, String(sheets.pages), 'right', { size: BODY });
      this.entries.delete(text);
    }
    sheets.drawTagged('H2', () => {
      this.drawLines(text, { size: 12.5, bold: true, color: ACCENT });
    });
    sheets.line();
    this.gap(6);
  }

  private addEntry(section: string, name: string): ContentsEntry {
    const { sheets } = this;
    const number = sheets.reserveText();
    const { page } = sheets.inside;
    const [right, top] = [MARGIN + sheets.width, page.height - sheets.y + 2];
    sheets.drawLine(`${sheets.layout.cut(section, {}, sheets.width - 60)} `, MARGIN, {});
    sheets.drawObject(name, number, right - 40, 6.5);
    const link = sheets.inside.ref({
      ...{ Type: 'Annot', Subtype: 'Link', Border: [0, 0, 0], F: 4 },
      Rect: [MARGIN, top - BODY * LINE - 3, right, top],
      Contents: Object(section) as unknown,
    });
    Object.assign(link.data, { StructParent: sheets.tags.attachLink(link.id) });
    page.annotations.push(link);
    this.gap(BODY * LINE + 3);
    return { number, link };
  }

  /** Adds a bookmark. `above` is the distance in points from the current height up to the heading. */
  private addBookmark(under: OutlineItem, text: string, above: number): OutlineItem {
    const { page } = this.sheets.inside;
    const item = under.addItem(text);
    const Dest = [page.dictionary, 'XYZ', null, page.height - this.sheets.y + above, null];
    Object.assign(item.dictionary.data, { Dest });
    return item;
  }

  private columnWidths(): number[] {
    const totalShare = this.columns.reduce((sum, { share }) => sum + share, 0);
    const free = this.sheets.width - GUTTER * (this.columns.length - 1);
    return this.columns.map(({ share }) => (free * share) / totalShare);
  }

  private drawCells(texts: readonly (readonly string[])[], style: TextStyle, tag: 'TH' | 'TD' | null): void {
    const { sheets } = this;
    const top = sheets.y;
    let bottom = top;
    let x = MARGIN;
    for (const [i, width] of this.columnWidths().entries()) {
      const lines = texts[i] ?? [];
      const draw = (): void => {
        sheets.y = top;
        for (const [n, line] of lines.entries()) {
          const text = n + 1 < lines.length ? `${line} ` : line;
          const shift = this.columns[i]?.right ? width - sheets.layout.width(toLatin1(line).text, style) : 0;
          sheets.drawLine(text, x + shift, style);
          sheets.y += (style.size ?? BODY) * LINE;
        }
        bottom = Math.max(bottom, sheets.y);
      };
      if (tag === null) draw();
      else sheets.drawTagged(tag, draw, tag === 'TH' ? scopeAttribute('Column') : '');
      x += width + GUTTER;
    }
    sheets.y = bottom;
  }

  private drawLines(text: string, style: TextStyle): void {
    const { sheets } = this;
    const size = style.size ?? BODY;
    const indent = style.indent ?? 0;
    const lines = sheets.layout.wrap(text, style, sheets.width - indent);
    for (const [i, line] of lines.entries()) {
      sheets.ensureRoom(size * LINE);
      // The space separates the last word of a line from the next line for a screen reader.
      sheets.drawLine(i + 1 < lines.length ? `${line} ` : line, MARGIN + indent, style);
      this.gap(size * LINE);
    }
  }
}

const scopeAttribute = (of: 'Row' | 'Column'): string => `/A<</O/Table/Scope/${of}>>`;
