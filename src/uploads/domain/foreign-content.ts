import { FileRefused, type Finding } from './file-refused.js';

// https://www.eicar.org/download-anti-malware-testfile/, in two parts, so that this file is none.
const EICAR = Buffer.from('X5O!P%@AP[4\\PZX54(P^)7CC)7}$' + 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!', 'latin1');
// Signatures of at least six bytes: by chance in 10 MiB of noise once in 10^7 files.
const ARCHIVES = [
  Buffer.from('Rar!\x1a\x07', 'latin1'),
  Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]),
  Buffer.from('PK\x03\x04\x14\x00', 'latin1'),
  Buffer.from('PK\x03\x04\x0a\x00', 'latin1'),
];
// The directory of a ZIP file stands at its end, before a comment of at most 65,535 bytes (APPNOTE 4.3.16).
const ZIP_DIRECTORY = Buffer.from('PK\x05\x06', 'latin1');
const ZIP_TAIL = 65_557;
const MARKUP =
  /<script[\s>/]|<\?php[\s]|<iframe[\s>]|<!doctype[\s]|<html[\s>]|<svg[\s][^>]{0,200}xmlns|javascript:|<%@ ?page/i;

/** Throws FileRefused when a file of any accepted type is something else as well. */
export function refuseForeignContent(bytes: Buffer): void {
  const refuse = (finding: Finding): never => {
    throw new FileRefused(finding);
  };
  if (bytes.includes(EICAR)) refuse('TEST_VIRUS');
  if (ARCHIVES.some((signature) => bytes.includes(signature))) refuse('SECOND_FORMAT');
  if (bytes.includes(ZIP_DIRECTORY, Math.max(0, bytes.length - ZIP_TAIL))) refuse('SECOND_FORMAT');
  if (bytes.subarray(16).includes('%PDF-1.')) refuse('SECOND_FORMAT');
  if (MARKUP.test(bytes.toString('latin1'))) refuse('ACTIVE_CONTENT');
}
