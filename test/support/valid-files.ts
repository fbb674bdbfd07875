import PDFDocument from 'pdfkit';
import type { Sharp } from 'sharp';
import { pdfBytes, pdfOfPages, type SentFile } from './hostile-files.js';
import { aPicture } from './files.js';

/** Files that must be accepted: what phones, scanners and programs make. */
export async function validFiles(): Promise<SentFile[]> {
  const jpeg = await aPicture(640, 480, 3).jpeg().toBuffer();
  const preview = await aPicture(160, 120, 3).jpeg().toBuffer();
  const samsung = Buffer.from(
    '\0\0\x01\x0a\x08\0\0\0Image_UTC_Data1700000000000SEFHk\0\0\0\x01\0\0\0\0\0\x01\x0aSEFT',
    'latin1',
  );
  const picture = (seed: number, width = 640, height = 480): Sharp => aPicture(width, height, seed);
  const scanned = new PDFDocument({ size: 'A4' });
  scanned.image(await picture(4, 1_200, 1_600).jpeg().toBuffer(), 0, 0, { width: 500 });
  const linked = new PDFDocument({ size: 'A4', info: { Title: 'Conta de luz', Author: 'Companhia' } });
  linked.text('Segunda via', { link: 'https://example.com' });
  const made: readonly (readonly [string, Buffer | Promise<Buffer>, Partial<SentFile>?])[] = [
    ['a JPEG', picture(10).jpeg().toBuffer(), { filename: 'IMG_0001.JPG', type: 'image/jpeg' }],
    ['a progressive JPEG', picture(11).jpeg({ progressive: true }).toBuffer()],
    ['a JPEG without subsampling', picture(12).jpeg({ chromaSubsampling: '4:4:4' }).toBuffer()],
    ['a grey JPEG', picture(13).greyscale().jpeg().toBuffer()],
    ['a JPEG in CMYK', picture(14).toColourspace('cmyk').jpeg().toBuffer()],
    ['a JPEG that asks to be turned', picture(15).withMetadata({ orientation: 6 }).jpeg().toBuffer()],
    ['a JPEG with a colour profile', picture(16).withIccProfile('p3').jpeg().toBuffer()],
    [
      'a JPEG with EXIF',
      picture(17)
        .withExif({ IFD0: { Make: 'Phone', Model: 'One' } })
        .jpeg()
        .toBuffer(),
    ],
    ['a JPEG of 3 megapixels', picture(18, 2_000, 1_500).jpeg().toBuffer()],
    ['a JPEG with a second picture', Buffer.concat([jpeg, preview])],
    ['a JPEG with padding', Buffer.concat([await picture(19).jpeg().toBuffer(), Buffer.alloc(1_024)])],
    ['a JPEG of a Samsung phone', Buffer.concat([await picture(20).jpeg().toBuffer(), samsung])],
    ['a tiny JPEG', picture(21, 8, 8).jpeg().toBuffer()],
    ['a JPEG that calls itself image/jpg', picture(22).jpeg().toBuffer(), { type: 'image/jpg' }],
    ['a PNG', picture(30).png().toBuffer(), { filename: 'captura de tela.png', type: 'image/png' }],
    ['a PNG with transparency', picture(31).ensureAlpha(0.5).png().toBuffer()],
    ['a PNG with a palette', picture(32).png({ palette: true }).toBuffer()],
    ['an interlaced PNG', picture(33).png({ progressive: true }).toBuffer()],
    ['a grey PNG', picture(34).greyscale().png().toBuffer()],
    ['a PNG of 16 bits', picture(35).toColourspace('rgb16').png().toBuffer()],
    ['a PNG of two colours', picture(36).png({ palette: true, colours: 2 }).toBuffer()],
    ['a PNG with a text', picture(37).withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>').png().toBuffer()],
    ['a PNG of 8,000 pixels in a row', picture(38, 8_000, 400).png().toBuffer()],
    ['a WebP', picture(40).webp().toBuffer(), { filename: 'a.webp', type: 'image/webp' }],
    ['a lossless WebP', picture(41).webp({ lossless: true }).toBuffer()],
    ['a WebP with transparency', picture(42).ensureAlpha(0.5).webp().toBuffer()],
    ['a WebP with EXIF', picture(43).withMetadata({ orientation: 3 }).webp().toBuffer()],
    ['a PDF', pdfOfPages(1), { filename: 'comprovante de residência.pdf', type: 'application/pdf' }],
    ['a PDF of 50 pages', pdfOfPages(50)],
    ['a scanned PDF', pdfBytes(scanned)],
    ['a PDF with a link and a title', pdfBytes(linked)],
    ['a PDF without compression', pdfOfPages(2, { compress: false })],
    ['a PDF 1.4', pdfOfPages(3, { pdfVersion: '1.4' })],
  ];
  return Promise.all(made.map(async ([name, file, more = {}]) => ({ name, file: await file, ...more })));
}

/** Names and types under which good files come: they tell nothing, and decide nothing. */
export const LABELS: readonly Pick<SentFile, 'filename' | 'type'>[] = [
  { filename: 'WhatsApp Image 2026-11-26 at 10.15.30' },
  { filename: 'foto.JPG_large', type: null },
  { filename: null, type: null },
  { filename: null, type: 'image/jpeg' },
  { filename: '', type: 'image/jpeg' },
  { filename: 'blob', type: 'text/plain' },
  { filename: 'документ ü 😀.jpeg', type: 'image/*' },
  { filename: 'C:\\fakepath\\foto.jpg', type: 'image/pjpeg' },
  { filename: '/storage/emulated/0/DCIM/foto', type: 'binary/octet-stream' },
  { filename: 'IMG_0001.HEIC', type: 'image/heic' },
  { filename: 'foto.png', type: 'image/png' },
  { filename: 'conta.docm', type: '' },
  { filename: `${'a'.repeat(4_000)}.jpg` },
];
