import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import PDFDocument from 'pdfkit';
import { aPicture } from './files.js';

/** A file as the part of a form. */
export interface SentFile {
  readonly name: string;
  readonly file: Buffer;
  /** Null for a part without one; `a` by itself. */
  readonly filename?: string | null;
  /** Null for a part without one; `application/octet-stream` by itself. */
  readonly type?: string | null;
}

export interface HostileFile extends SentFile {
  /** The code of the answer. */
  readonly code: 'FILE_TYPE_UNSUPPORTED' | 'FILE_TOO_LARGE';
}

/** A whole request that is not as it should be. */
export interface HostileForm {
  readonly name: string;
  readonly contentType: string;
  readonly body: Buffer;
  readonly code: string;
  /** The path and the code of what is found in it. */
  readonly detail?: string;
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
// In two parts, so that this file is not taken for the real thing.
const EICAR = latin1('X5O!P%@AP[4\\PZX54(P^)7CC)7}$' + 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*');
const SCRIPT = latin1('<script>alert(document.domain)</script>');
/** The head of a photo as iPhones keep it, under `mif1` or its own brand. */
export const HEIC = Buffer.concat([
  Buffer.from([0, 0, 0, 24]),
  latin1('ftypheic\0\0\0\0mif1heic'),
  Buffer.alloc(200),
]);
const ZIP = Buffer.concat([
  latin1('PK\x03\x04\x14\x00'),
  Buffer.alloc(24),
  latin1('PK\x05\x06'),
  Buffer.alloc(18),
]);

// --- builders ------------------------------------------------------------------------------------------------

export function pngChunk(name: string, body: Buffer, crc?: number): Buffer {
  const tagged = Buffer.concat([latin1(name), body]);
  const out = Buffer.alloc(tagged.length + 8);
  out.writeUInt32BE(body.length, 0);
  tagged.copy(out, 4);
  out.writeUInt32BE(crc ?? crc32(tagged), tagged.length + 4);
  return out;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export function pngHeader(width: number, height: number, rest = [8, 2, 0, 0, 0]): Buffer {
  const body = Buffer.alloc(13);
  body.writeUInt32BE(width, 0);
  body.writeUInt32BE(height, 4);
  Buffer.from(rest).copy(body, 8);
  return pngChunk('IHDR', body);
}

const pngOf = (...chunks: readonly Buffer[]): Buffer => Buffer.concat([PNG, ...chunks]);
const IEND = pngChunk('IEND', Buffer.alloc(0));
const someData = pngChunk('IDAT', deflateSync(Buffer.alloc(1_000)));

/** A JPEG with a segment put right after its first marker. */
const withSegment = (jpeg: Buffer, marker: number, body: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 0xff]);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
};

/** A JPEG whose frame says other dimensions. */
function resized(jpeg: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(jpeg);
  for (let at = 2; at < copy.length;) {
    const marker = copy[at + 1]!;
    if (marker >= 0xc0 && marker <= 0xc2) {
      copy.writeUInt16BE(height, at + 5);
      copy.writeUInt16BE(width, at + 7);
      return copy;
    }
    at += 2 + copy.readUInt16BE(at + 2);
  }
  throw new Error('no frame');
}

function remarked(jpeg: Buffer, marker: number): Buffer {
  const copy = Buffer.from(jpeg);
  copy[copy.indexOf(Buffer.from([0xff, 0xc0])) + 1] = marker;
  return copy;
}

export function riff(...chunks: readonly (readonly [string, Buffer])[]): Buffer {
  const parts = chunks.map(([name, body]) => {
    const head = Buffer.alloc(8);
    head.write(name, 'latin1');
    head.writeUInt32LE(body.length, 4);
    return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
  });
  const all = Buffer.concat([latin1('WEBP'), ...parts]);
  const head = Buffer.alloc(8);
  head.write('RIFF', 'latin1');
  head.writeUInt32LE(all.length, 4);
  return Buffer.concat([head, all]);
}

function vp8x(flags: number, width: number, height: number): Buffer {
  const body = Buffer.alloc(10);
  body[0] = flags;
  body.writeUIntLE(width - 1, 4, 3);
  body.writeUIntLE(height - 1, 7, 3);
  return body;
}

function vp8l(width: number, height: number): Buffer {
  const body = Buffer.alloc(5);
  body[0] = 0x2f;
  body.writeUInt32LE((((height - 1) << 14) | (width - 1)) >>> 0, 1);
  return body;
}

/** A PDF of these objects; `objects[0]` is object 1, the catalogue. */
export function aPdf(objects: readonly (string | Buffer)[], trailer = '/Root 1 0 R'): Buffer {
  const parts: Buffer[] = [latin1('%PDF-1.7\n')];
  const offsets: number[] = [];
  let at = parts[0]!.length;
  objects.forEach((body, i) => {
    const part = Buffer.concat([
      latin1(`${i + 1} 0 obj\n`),
      Buffer.isBuffer(body) ? body : latin1(body),
      latin1('\nendobj\n'),
    ]);
    offsets.push(at);
    at += part.length;
    parts.push(part);
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    latin1(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}` +
        `trailer\n<< /Size ${objects.length + 1} ${trailer} >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

export const aStream = (dictionary: string, body: Buffer): Buffer =>
  Buffer.concat([
    latin1(`<< /Length ${body.length} ${dictionary} >>\nstream\n`),
    body,
    latin1('\nendstream'),
  ]);

const PAGES = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';
const PAGE = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>';
export const onePage = (catalogue: string, ...more: readonly (string | Buffer)[]): Buffer =>
  aPdf([`<< /Type /Catalog /Pages 2 0 R ${catalogue} >>`, PAGES, PAGE, ...more]);

export function pdfOfPages(pages: number, options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> {
  const document = new PDFDocument({ size: 'A4', ...options });
  for (let page = 1; page <= pages; page += 1) {
    if (page > 1) document.addPage();
    document.text(`Page ${page}`);
  }
  return pdfBytes(document);
}

export function pdfBytes(document: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.once('end', () => {
      resolve(Buffer.concat(chunks));
    });
    document.once('error', reject);
    document.end();
  });
}

// --- the corpus ----------------------------------------------------------------------------------------------

/** Files that must be refused, whatever they call themselves. */
export async function hostileFiles(): Promise<HostileFile[]> {
  const jpeg = await aPicture().jpeg().toBuffer();
  const progressive = await aPicture().jpeg({ progressive: true }).toBuffer();
  const png = await aPicture().png().toBuffer();
  const webp = await aPicture().webp().toBuffer();
  const gif = await aPicture(32, 32).gif().toBuffer();
  const tiff = await aPicture(32, 32).tiff().toBuffer();
  const avif = await aPicture(32, 32).avif().toBuffer();
  const pdf = await pdfOfPages(1);
  const svg = latin1(
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><rect width="9" height="9"/></svg>',
  );
  const unsupported = (name: string, file: Buffer, more: Partial<SentFile> = {}): HostileFile => ({
    name,
    file,
    code: 'FILE_TYPE_UNSUPPORTED',
    ...more,
  });
  const tooLarge = (name: string, file: Buffer): HostileFile => ({ name, file, code: 'FILE_TOO_LARGE' });
  return [
    // other types under accepted names
    unsupported('an SVG with a script', svg),
    unsupported('an SVG that says it is a PNG', svg, { filename: 'a.png', type: 'image/png' }),
    unsupported('an SVG in XML', Buffer.concat([latin1('<?xml version="1.0"?>\n'), svg])),
    unsupported(
      'an external entity',
      latin1('<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'),
    ),
    unsupported('HTML that says it is a PNG', latin1('<!doctype html><html><body>hi</body></html>'), {
      filename: 'a.png',
      type: 'image/png',
    }),
    unsupported('a GIF', gif),
    unsupported(
      'a GIF and JavaScript',
      Buffer.concat([latin1('GIF89a/*'), SCRIPT, latin1('*/=1;alert(1)//')]),
    ),
    unsupported('a TIFF', tiff),
    unsupported('an AVIF', avif),
    unsupported('a photo of an iPhone', HEIC),
    unsupported('a BMP', Buffer.concat([latin1('BM'), Buffer.alloc(100)])),
    unsupported('an icon', Buffer.concat([Buffer.from([0, 0, 1, 0, 1, 0]), Buffer.alloc(100)])),
    unsupported('PostScript', latin1('%!PS-Adobe-3.0\n(hi) show\n%%EOF\n')),
    unsupported(
      'ImageMagick MVG',
      latin1("push graphic-context\nviewbox 0 0 640 480\nfill 'url(https://example.com/a)'\n"),
    ),
    unsupported('a ZIP', ZIP),
    unsupported('a Windows program', Buffer.concat([latin1('MZ'), Buffer.alloc(200)])),
    unsupported('a Linux program', Buffer.concat([latin1('\x7fELF'), Buffer.alloc(200)])),
    unsupported('a shell script', latin1('#!/bin/sh\nrm -rf /\n')),
    unsupported('PHP', latin1('<?php system($_GET["c"]); ?>')),
    unsupported(
      'an Office document',
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(512)]),
    ),
    unsupported('noise', randomBytes(50_000)),
    unsupported('a text', latin1('just a text, nothing else in it')),
    unsupported('an empty file', Buffer.alloc(0)),
    unsupported('one byte', Buffer.from([0xff])),
    unsupported('only the signature of a PNG', PNG),
    unsupported('zeros', Buffer.alloc(100_000)),
    // the test signature of virus scanners
    unsupported('EICAR', EICAR),
    unsupported('EICAR in the comment of a JPEG', withSegment(jpeg, 0xfe, EICAR)),
    unsupported(
      'EICAR in a text of a PNG',
      pngOf(png.subarray(8, 33), pngChunk('tEXt', Buffer.concat([latin1('a\0'), EICAR])), png.subarray(33)),
    ),
    unsupported('EICAR in a stream of a PDF', onePage('', aStream('', EICAR))),
    // cut off or broken
    unsupported('a JPEG cut in half', jpeg.subarray(0, jpeg.length / 2)),
    unsupported('a JPEG without its end', jpeg.subarray(0, -2)),
    unsupported('a progressive JPEG cut in half', progressive.subarray(0, progressive.length / 2)),
    unsupported('a PNG cut in half', png.subarray(0, png.length / 2)),
    unsupported('a PNG without its end', png.subarray(0, -12)),
    unsupported('a WebP cut in half', webp.subarray(0, webp.length / 2)),
    unsupported('a PDF cut in half', pdf.subarray(0, pdf.length / 2)),
    unsupported(
      'a PNG with a wrong checksum',
      pngOf(pngHeader(8, 8), pngChunk('IDAT', deflateSync(Buffer.alloc(200)), 1), IEND),
    ),
    unsupported('a PNG without pixels', pngOf(pngHeader(8, 8), IEND)),
    unsupported('a PNG of no width', pngOf(pngHeader(0, 8), someData, IEND)),
    unsupported('a PNG with two headers', pngOf(pngHeader(8, 8), pngHeader(8, 8), someData, IEND)),
    unsupported(
      'a PNG of an impossible colour type',
      pngOf(pngHeader(8, 8, [8, 7, 0, 0, 0]), someData, IEND),
    ),
    unsupported(
      'a PNG whose data is no zlib',
      pngOf(pngHeader(8, 8), pngChunk('IDAT', randomBytes(300)), IEND),
    ),
    unsupported(
      'a PNG with a chunk longer than the file',
      pngOf(pngHeader(8, 8), Buffer.from([0x7f, 0xff, 0xff, 0xff]), latin1('IDAT'), Buffer.alloc(64)),
    ),
    unsupported(
      'a PNG with an unknown critical chunk',
      pngOf(pngHeader(8, 8), pngChunk('EVIL', Buffer.alloc(4)), someData, IEND),
    ),
    unsupported('a moving PNG', pngOf(pngHeader(8, 8), pngChunk('acTL', Buffer.alloc(8)), someData, IEND)),
    unsupported(
      'a JPEG without a frame',
      Buffer.from([0xff, 0xd8, 0xff, 0xd9, ...new Array<number>(20).fill(0)]),
    ),
    unsupported(
      'a JPEG whose segment leads out of it',
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff]), Buffer.alloc(40)]),
    ),
    unsupported('a lossless JPEG', remarked(jpeg, 0xc3)),
    unsupported('an arithmetic-coded JPEG', remarked(jpeg, 0xc9)),
    unsupported('a JPEG of nothing but its frame', resized(jpeg, 640, 480).subarray(0, 200)),
    unsupported('a moving WebP', riff(['VP8X', vp8x(0b10, 8, 8)], ['ANIM', Buffer.alloc(6)])),
    unsupported('a WebP with an unknown chunk', riff(['EVIL', Buffer.alloc(4)], ['VP8L', vp8l(8, 8)])),
    unsupported('a WebP without an image', riff(['VP8X', vp8x(0, 8, 8)])),
    unsupported('a PDF without pages', aPdf(['<< /Type /Catalog >>'])),
    // two formats in one file
    unsupported('a JPEG and a ZIP', Buffer.concat([jpeg, ZIP])),
    unsupported('a PNG and a ZIP', Buffer.concat([png, ZIP])),
    unsupported('a PDF and a ZIP', Buffer.concat([pdf, ZIP])),
    unsupported('a ZIP in the comment of a JPEG', withSegment(jpeg, 0xfe, ZIP)),
    unsupported('a JPEG and HTML', Buffer.concat([jpeg, latin1('<html>'), SCRIPT, latin1('</html>')])),
    unsupported(
      'a JPEG and JavaScript',
      withSegment(jpeg, 0xe0, Buffer.concat([latin1('/*'), Buffer.alloc(0x2f2a - 4)])),
    ),
    unsupported(
      'a script in the EXIF of a JPEG',
      withSegment(jpeg, 0xe1, Buffer.concat([latin1('Exif\0\0'), SCRIPT])),
    ),
    unsupported('PHP in the comment of a JPEG', withSegment(jpeg, 0xfe, latin1('<?php system("id"); ?>'))),
    unsupported(
      'a script in a text of a PNG',
      pngOf(png.subarray(8, 33), pngChunk('tEXt', Buffer.concat([latin1('a\0'), SCRIPT])), png.subarray(33)),
    ),
    unsupported('a PNG and a PDF', Buffer.concat([png, pdf])),
    unsupported(
      'a RAR behind a JPEG',
      Buffer.concat([jpeg, latin1('Rar!\x1a\x07\x01\x00'), Buffer.alloc(50)]),
    ),
    unsupported('noise behind a JPEG', Buffer.concat([jpeg, randomBytes(500)])),
    unsupported('noise behind a WebP', Buffer.concat([webp, randomBytes(500)])),
    unsupported('a PDF behind a line of its own', Buffer.concat([latin1('a line\n'), pdf])),
    // bombs
    tooLarge('a PNG of 50,000 x 50,000 pixels', pngOf(pngHeader(50_000, 50_000), someData, IEND)),
    tooLarge('a PNG of 8,001 pixels in a row', pngOf(pngHeader(8_001, 10), someData, IEND)),
    tooLarge('a PNG of 2^31 pixels in a row', pngOf(pngHeader(0x7fffffff, 1), someData, IEND)),
    tooLarge(
      'an interlaced PNG of 8,000 x 6,000 pixels',
      pngOf(pngHeader(8_000, 6_000, [8, 6, 0, 0, 1]), someData, IEND),
    ),
    tooLarge('a JPEG of 50,000 x 50,000 pixels', resized(jpeg, 50_000, 50_000)),
    tooLarge('a progressive JPEG of 8,000 x 8,000 pixels', resized(progressive, 8_000, 8_000)),
    tooLarge('a WebP of 16,384 x 16,384 pixels', riff(['VP8L', vp8l(16_384, 16_384)])),
    tooLarge('a WebP with a canvas of 2^24 pixels in a row', riff(['VP8X', vp8x(0, 0xffffff, 10)])),
    tooLarge('a PDF of 51 pages', await pdfOfPages(51)),
    tooLarge(
      'a PDF that expands to 400 MB',
      onePage(
        '',
        aStream('/Filter /FlateDecode', deflateSync(Buffer.alloc(200_000_000))),
        aStream('/Filter /FlateDecode', deflateSync(Buffer.alloc(200_000_000))),
      ),
    ),
    unsupported('a protected PDF', await pdfOfPages(1, { userPassword: 'secret', ownerPassword: 'other' })),
  ];
}

const BOUNDARY = 'boundary-of-a-test';
const part = (disposition: string, body: Buffer | string, type = 'image/jpeg'): Buffer =>
  Buffer.concat([
    latin1(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${type}\r\n\r\n`,
    ),
    Buffer.isBuffer(body) ? body : latin1(body),
    latin1('\r\n'),
  ]);
const field = (name: string, value: string): Buffer =>
  latin1(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
const END = latin1(`--${BOUNDARY}--\r\n`);
const FILE = 'name="file"; filename="a.jpg"';

/** A form as a browser sends it. */
export function formOf({ file, filename = 'a', type = 'application/octet-stream' }: SentFile): HostileForm {
  const body = Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"`),
    Buffer.from(filename === null ? '\r\n' : `; filename="${filename}"\r\n`),
    latin1(type === null ? '\r\n' : `Content-Type: ${type}\r\n\r\n`),
    file,
    latin1('\r\n'),
    END,
  ]);
  return { name: '', contentType: `multipart/form-data; boundary=${BOUNDARY}`, body, code: '' };
}

/** Requests that must be refused, whatever file is in them. */
export async function hostileForms(): Promise<HostileForm[]> {
  const jpeg = await aPicture(64, 64).jpeg().toBuffer();
  const contentType = `multipart/form-data; boundary=${BOUNDARY}`;
  const form = (name: string, body: Buffer, code = 'VALIDATION_FAILED', type = contentType): HostileForm => ({
    name,
    contentType: type,
    body,
    code,
  });
  const found = (name: string, detail: string, ...parts: readonly Buffer[]): HostileForm => ({
    ...form(name, Buffer.concat([...parts, END])),
    detail,
  });
  return [
    found('two files', 'file DUPLICATE', part(FILE, jpeg), part(FILE, jpeg)),
    found(
      'a second file under another name',
      'other UNKNOWN_FIELD',
      part(FILE, jpeg),
      part('name="other"; filename="b.jpg"', jpeg),
    ),
    found('no file', 'file REQUIRED', field('side', 'FRONT')),
    found('an empty form', 'file REQUIRED'),
    found(
      'the file under another name',
      'upload UNKNOWN_FIELD',
      part('name="upload"; filename="a.jpg"', jpeg),
    ),
    found('a field that is not known', 'admin UNKNOWN_FIELD', field('admin', 'true'), part(FILE, jpeg)),
    found('a field named by a document', '? UNKNOWN_FIELD', field('CPF 529.982.247-25', 'x')),
    found('a prototype as a field', '__proto__ UNKNOWN_FIELD', field('__proto__', 'x'), part(FILE, jpeg)),
    found('a field twice', 'side DUPLICATE', field('side', 'FRONT'), field('side', 'BACK'), part(FILE, jpeg)),
    form('a field with a path', Buffer.concat([field('stepId', '../../x'), part(FILE, jpeg), END])),
    form('a field of 10 kB', Buffer.concat([field('stepId', 'a'.repeat(10_000)), part(FILE, jpeg), END])),
    form(
      'two hundred fields',
      Buffer.concat([...Array.from({ length: 200 }, (_, i) => field(`f${i}`, 'x')), END]),
    ),
    form(
      'more than 10 MiB',
      Buffer.concat([part(FILE, Buffer.concat([jpeg, Buffer.alloc(10 * 1_024 * 1_024)])), END]),
      'FILE_TOO_LARGE',
    ),
    form('no end', part(FILE, jpeg)),
    form(
      'a body of another boundary',
      Buffer.concat([part(FILE, jpeg), END]),
      'VALIDATION_FAILED',
      'multipart/form-data; boundary=another',
    ),
    form(
      'no boundary',
      Buffer.concat([part(FILE, jpeg), END]),
      'MEDIA_TYPE_UNSUPPORTED',
      'multipart/form-data',
    ),
    form('JSON', latin1('{"file":"x"}'), 'MEDIA_TYPE_UNSUPPORTED', 'application/json'),
    form('the bare file', jpeg, 'MEDIA_TYPE_UNSUPPORTED', 'image/jpeg'),
    form(
      'headers of a part without end',
      Buffer.concat([latin1(`--${BOUNDARY}\r\nX-A: ${'a'.repeat(90_000)}`)]),
    ),
    form('an empty body', Buffer.alloc(0)),
  ];
}
