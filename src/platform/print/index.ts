// Owns how pages are printed. Promises a PDF of any length in bounded memory, tagged for who hears it.
export { type Column, PdfWriter } from './pdf-writer.js';
export type { PdfHead } from './pdf-sheets.js';
