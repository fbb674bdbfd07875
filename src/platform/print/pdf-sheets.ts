import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { toLatin1 } from '../kernel/values/latin-1.js';
import { PdfTags } from './pdf-tags.js';
import {
  BODY,
  type FontFace,
  GREY,
  pdfColourOf,
  LINE,
  type PdfFont,
  TextLayout,
  RULE,
  type TextStyle,
} from './text-layout.js';

const SMALL_STYLE: TextStyle = { size: 7, color: GREY };

export interface PdfHead {
  readonly title: string;
  readonly author: string;
  readonly language: string;
  readonly madeAt: Date;
  /** The header of every page, which names the owner of the document. */
  readonly head?: string;
  /** The footer of every page, before the page number. */
  readonly foot: string;
  /** The words of `Page 1 of 9` in the language of the document. */
  readonly pageWord: string;
  readonly ofWord: string;
}

export interface PdfRef {
  readonly id: number;
  readonly data: object;
  write(text: string): void;
  end(): void;
}

interface PdfImage {
  readonly label: string;
  readonly width: number;
  readonly height: number;
  readonly obj: unknown;
  embed(document: unknown): void;
}

/** Parts of pdfkit that its public types lack: how it creates objects. */
interface Internals {
  readonly _font: PdfFont;
  readonly _root: { readonly data: object };
  readonly _offsets: (number | null)[];
  readonly _offset: number;
  readonly readableLength: number;
  readonly page: {
    readonly height: number;
    readonly dictionary: PdfRef;
    readonly fonts: Record<string, unknown>;
    readonly xobjects: Record<string, unknown>;
    readonly annotations: unknown[];
  };
  push(chunk: Uint8Array | null): boolean;
  ref(data: object): PdfRef;
  addContent(text: string): void;
  openImage(content: Uint8Array): PdfImage;
  _write(text: string): void;
}

export const MARGIN = 48;
const FOOT = 34;
const TOP = MARGIN + 12;
const TOTAL = 'TotalPages';
// The writer pauses when this many bytes wait for a slow reader of the output.
const HIGH_WATER = 1_048_576;
const PAUSE_MS = 2;
// Output is passed on in chunks of this size; pdfkit emits one per line of the file.
const PIECE_BYTES = 65_536;

/**
 * Writes the pages of a PDF to a stream in bounded memory: a page is released when the next one begins. Texts that are
 * known only at the end (the number of pages, the page of each section) are objects that are written last.
 */
export class PdfSheets {
  readonly layout: TextLayout;
  readonly tags: PdfTags;
  private readonly outputDone: Promise<void>;
  private readonly faces: { readonly plain: FontFace; readonly bold: FontFace };
  private readonly totalPages: PdfRef;
  private hasFailed = false;
  private pageCount = 0;
  private pieces: Uint8Array[] = [];
  private gatheredBytes = 0;
  private passOn: (piece: Uint8Array | null) => boolean = () => true;
  /** The operators of the current page, passed to pdfkit once per page: each call allocates a buffer. */
  private pageOperators: string[] = [];
  private currentMark: 'none' | 'content' | 'artifact' = 'none';
  y = TOP;

  private constructor(
    readonly doc: PDFKit.PDFDocument,
    private readonly head: PdfHead,
    output: Writable,
  ) {
    this.gatherPieces();
    this.outputDone = pipeline(this.doc as unknown as NodeJS.ReadableStream, output);
    // `finish` awaits the pipeline. Until then, a reader that disconnects must not cause an unhandled rejection.
    this.outputDone.catch(() => {
      this.hasFailed = true;
    });
    this.faces = { plain: this.measureFace('Helvetica'), bold: this.measureFace('Helvetica-Bold') };
    this.layout = new TextLayout(this.faces);
    const { inside } = this;
    this.tags = new PdfTags({
      reserve: () => inside._offsets.push(null),
      write: (body, id = inside._offsets.push(null)) => {
        inside._offsets[id - 1] = inside._offset;
        inside._write(`${id} 0 obj\n${body}\nendobj`);
        return id;
      },
    });
    this.tags.begin('Document');
    this.totalPages = this.reserveText();
    this.addPage();
  }

  static async open(head: PdfHead, output: Writable): Promise<PdfSheets> {
    // Loaded with the first document: loading takes 0.3 s of CPU.
    const { default: PDFDocument } = await import('pdfkit');
    // Removes markup characters, because pdfkit writes these texts unescaped into XML metadata.
    const withoutMarkup = (text: string): string => text.replace(/[<>&]/g, ' ');
    const doc = new PDFDocument({
      size: 'A4',
      margin: MARGIN,
      autoFirstPage: false,
      bufferPages: false,
      pdfVersion: '1.7',
      lang: head.language,
      displayTitle: true,
      info: {
        ...{ Title: withoutMarkup(head.title), Author: withoutMarkup(head.author) },
        ...{ CreationDate: head.madeAt, ModDate: head.madeAt },
      },
    });
    return new PdfSheets(doc, head, output);
  }

  get width(): number {
    return this.doc.page.width - 2 * MARGIN;
  }

  get pages(): number {
    return this.pageCount;
  }

  get inside(): Internals {
    return this.doc as unknown as Internals;
  }

  /** Yields to the event loop, and waits until most of the output is read. Throws if the reader has disconnected. */
  async drain(): Promise<void> {
    this.passPieces();
    await nextTurn();
    while (this.inside.readableLength > HIGH_WATER) {
      if (this.hasFailed) break;
      await pause(PAUSE_MS);
    }
    if (this.hasFailed) await this.outputDone;
  }

  async finish(): Promise<void> {
    this.endPage();
    this.fillText(this.totalPages, String(this.pageCount), 'left');
    const root = this.tags.finish();
    Object.assign(this.inside._root.data, {
      MarkInfo: this.inside.ref({ Marked: true }),
      StructTreeRoot: new WrittenObject(root),
    });
    this.doc.end();
    await this.outputDone;
  }

  get room(): number {
    return this.doc.page.height - MARGIN - FOOT - TOP;
  }

  /** Returns the height that the texts, lists and tables of `draw` would take, without drawing them. */
  heightOf(draw: () => void): number {
    const top = this.y;
    this.tags.isMeasuring = true;
    try {
      draw();
      return this.y - top;
    } finally {
      this.tags.isMeasuring = false;
      this.y = top;
    }
  }

  /** Begins a new page if the current page lacks room for the height; returns true if it did. */
  ensureRoom(height: number): boolean {
    if (this.tags.isMeasuring) return false;
    if (this.y + height <= this.doc.page.height - MARGIN - FOOT) return false;
    this.addPage();
    return true;
  }

  /** Draws one line at the current height, as content of the open tag. */
  drawLine(text: string, x: number, style: TextStyle): void {
    if (this.tags.isMeasuring) return;
    this.content();
    this.draw(text, x, style);
  }

  /** Draws decoration that a screen reader skips: lines, page headers and footers, repeated table headers. */
  artifact(draw: () => void): void {
    if (this.tags.isMeasuring) return;
    this.unmark();
    this.currentMark = 'artifact';
    this.pageOperators.push('/Artifact BMC');
    draw();
    this.unmark();
  }

  /** Draws a tagged element: a heading, a paragraph, a cell. */
  drawTagged(type: string, draw: () => void, attributes?: string): void {
    this.unmark();
    this.tags.begin(type, attributes);
    draw();
    this.unmark();
    this.tags.end();
  }

  line(color = RULE): void {
    this.artifact(() => {
      this.strokeLine(color);
    });
    this.y += 2;
  }

  /** Creates an object whose text is filled in later. */
  reserveText(): PdfRef {
    const { font } = this.faces.plain;
    const Font = { [font.id]: font.ref() };
    const BBox = [0, -4, 40, 12];
    return this.inside.ref({ Type: 'XObject', Subtype: 'Form', FormType: 1, BBox, Resources: { Font } });
  }

  /** Draws an object; its baseline lies `below` points under the current height. */
  drawObject(name: string, object: unknown, x: number, below: number): void {
    const { page } = this.inside;
    page.xobjects[name] = object;
    const y = page.height - this.y - below;
    this.pageOperators.push(`q 1 0 0 1 ${x.toFixed(2)} ${y.toFixed(2)} cm /${name} Do Q`);
  }

  /** Writes the text of an object that `reserveText` made. */
  fillText(object: PdfRef, text: string, side: 'left' | 'right', style: TextStyle = SMALL_STYLE): void {
    const x = side === 'left' ? 0 : 40 - this.layout.width(text, style);
    object.write(this.layout.draw(text, x, 0, style));
    object.end();
  }

  /** Draws a picture at the current height, scaled down to fit into `most`. */
  picture(content: Uint8Array, x: number, most: { readonly width: number; readonly height: number }): void {
    const image = this.inside.openImage(content);
    const scale = Math.min(most.width / image.width, most.height / image.height, 1);
    const [width, height] = [image.width * scale, image.height * scale];
    this.ensureRoom(height + 4);
    image.embed(this.doc);
    this.content();
    const { page } = this.inside;
    page.xobjects[image.label] = image.obj;
    const y = page.height - this.y - height;
    this.pageOperators.push(
      `q ${width.toFixed(2)} 0 0 ${height.toFixed(2)} ${x} ${y.toFixed(2)} cm /${image.label} Do Q`,
    );
    this.y += height + 4;
  }

  /** Marks the following drawing as content of the open tag. */
  content(): void {
    if (this.currentMark !== 'none') return;
    this.pageOperators.push(this.tags.mark());
    this.currentMark = 'content';
  }

  unmark(): void {
    if (this.tags.isMeasuring) return;
    if (this.currentMark !== 'none') this.pageOperators.push('EMC');
    this.currentMark = 'none';
  }

  private strokeLine(color: string): void {
    const y = (this.doc.page.height - this.y).toFixed(2);
    this.pageOperators.push(
      `q 0.5 w ${pdfColourOf(color)} RG ${MARGIN} ${y} m ${(MARGIN + this.width).toFixed(2)} ${y} l S Q`,
    );
  }

  /** Writes PDF operators directly: pdfkit lays out every word again, at ten times the cost. */
  private draw(text: string, x: number, style: TextStyle): void {
    const { size = BODY } = style;
    const { font } = this.layout.face(style);
    const { page } = this.inside;
    page.fonts[font.id] ??= font.ref();
    const y = page.height - this.y - (font.ascender / 1_000) * size;
    this.pageOperators.push(this.layout.draw(text, x, y, style));
  }

  private addPage(): void {
    if (this.pageCount > 0) this.endPage();
    // With a margin, pdfkit would start a new page when the footer is written.
    this.doc.addPage({ size: 'A4', margin: 0 });
    this.pageCount += 1;
    const { dictionary } = this.inside.page;
    Object.assign(dictionary.data, { StructParents: this.tags.beginPage(dictionary.id), Tabs: 'S' });
    // pdfkit flips the y axis; this flips it back to the origin of PDF, bottom left.
    this.pageOperators.push(`1 0 0 -1 0 ${this.doc.page.height.toFixed(2)} cm`);
    this.artifact(() => {
      this.drawHeadAndFoot();
    });
    this.y = TOP;
  }

  private endPage(): void {
    this.unmark();
    this.tags.endPage();
    this.inside.addContent(this.pageOperators.join('\n'));
    this.pageOperators = [];
  }

  private drawHeadAndFoot(): void {
    const { height } = this.doc.page;
    const style = { size: 7, color: GREY };
    const at = height - MARGIN + 4;
    this.y = at - 8;
    this.strokeLine(RULE);
    this.y = at;
    this.draw(this.layout.cut(this.head.foot, style, this.width - 76), MARGIN, style);
    const text = toLatin1(`${this.head.pageWord} ${this.pageCount} ${this.head.ofWord} `).text;
    const x = MARGIN + this.width - 22;
    this.draw(text, x - this.layout.width(text, style), style);
    this.drawObject(TOTAL, this.totalPages, x, 5.2);
    if (this.head.head === undefined) return;
    this.y = MARGIN - 14;
    this.draw(this.layout.cut(this.head.head, style, this.width), MARGIN, style);
    this.y += style.size * LINE + 2;
    this.strokeLine(RULE);
  }

  /** Measures character widths without kerning, so that no text is drawn wider than measured. */
  private measureFace(name: string): FontFace {
    this.doc.font(name).fontSize(1_000);
    const { _font: font } = this.inside;
    const widths = Float64Array.from({ length: 256 }, (_, code) =>
      code < 0x20 ? 0 : this.doc.widthOfString(String.fromCharCode(code)) / 1_000,
    );
    return { font, widths };
  }

  /** Combines pdfkit's output into chunks; pdfkit emits each line by itself. */
  private gatherPieces(): void {
    const { inside } = this;
    this.passOn = inside.push.bind(inside);
    inside.push = (piece) => {
      if (piece === null) {
        this.passPieces();
        return this.passOn(null);
      }
      this.pieces.push(piece);
      this.gatheredBytes += piece.length;
      if (this.gatheredBytes >= PIECE_BYTES) this.passPieces();
      return true;
    };
  }

  private passPieces(): void {
    if (this.gatheredBytes === 0) return;
    this.passOn(Buffer.concat(this.pieces));
    this.pieces = [];
    this.gatheredBytes = 0;
  }
}

/** A reference to an object that pdfkit did not create, by its number. */
class WrittenObject {
  readonly [Symbol.toStringTag] = 'WrittenObject';

  constructor(private readonly id: number) {}

  toString(): string {
    return `${this.id} 0 R`;
  }

  end(): void {
    // The object is already written.
  }
}
