import { FileRefusedError } from './file-errors.js';

// https://www.eicar.org/download-anti-malware-testfile/, split in two, so that no scanner reports this source file.
const EICAR = Buffer.from('X5O!P%@AP[4\\PZX54(P^)7CC)7}$' + 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!', 'latin1');
// Archive signatures of at least 6 bytes: random data of 10 MiB contains one by chance in 1 of 10^7 files.
const ARCHIVES = [
  Buffer.from('Rar!\x1a\x07', 'latin1'),
  Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]),
  Buffer.from('PK\x03\x04\x14\x00', 'latin1'),
  Buffer.from('PK\x03\x04\x0a\x00', 'latin1'),
];
// The last record of a ZIP file is at its end, before a comment of at most 65,535 bytes (APPNOTE 4.3.16).
const ZIP_DIRECTORY = Buffer.from('PK\x05\x06', 'latin1');
const ZIP_TAIL = 65_557;
const MARKUP =
  /<script[\s>/]|<\?php[\s]|<iframe[\s>]|<!doctype[\s]|<html[\s>]|<svg[\s][^>]{0,200}xmlns|javascript:|<%@ ?page/i;

/** Throws FileRefusedError when a file of any accepted type is also an archive, or the EICAR virus test file. */
export function refuseForeignFormats(bytes: Buffer): void {
  if (bytes.includes(EICAR)) throw new FileRefusedError('TEST_VIRUS');
  const isArchive =
    ARCHIVES.some((signature) => bytes.includes(signature)) ||
    bytes.includes(ZIP_DIRECTORY, Math.max(0, bytes.length - ZIP_TAIL));
  if (isArchive) throw new FileRefusedError('SECOND_FORMAT');
}

/** Throws FileRefusedError when an image is also a PDF or a web page. A PDF may contain such markup as text. */
export function refuseForeignMarkup(bytes: Buffer): void {
  if (bytes.includes('%PDF-1.')) throw new FileRefusedError('SECOND_FORMAT');
  if (MARKUP.test(bytes.toString('latin1'))) throw new FileRefusedError('ACTIVE_CONTENT');
}
