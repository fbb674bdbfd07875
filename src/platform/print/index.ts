// Owns PDF output. Promises a PDF of any length in bounded memory, tagged for screen readers.
export { type Column, PdfWriter } from './pdf-writer.js';
export type { PdfHead } from './pdf-sheets.js';
