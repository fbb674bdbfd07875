// Owns how pages are printed. Promises a PDF of any length in bounded memory.
export { PdfWriter, type PdfHead } from './pdf-writer.js';
