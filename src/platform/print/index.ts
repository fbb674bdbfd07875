// Owns PDF output. Promises a PDF of any length in bounded memory, tagged for screen readers.
export { PdfWriter } from './pdf-writer.js';
