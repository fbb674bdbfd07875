import { table } from '../../../platform/kernel/table.js';

/** Schemes of links that run something, or open what lies on the reader's own machine. */
const SCHEMES =
  /^(?:(?:view-source|feed|url):)*(?:javascript|jscript|livescript|mocha|vbscript|vbs|data|blob|file|shell|jar|mhtml|search|ms-[a-z-]+|search-ms):/;
/** The longest beginning of a string that is read; a scheme may be spread out with spaces and escapes. */
const MAX_READ = 1_024;

const ESCAPE_VALUES: Readonly<Record<string, string>> = table({
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
});
const ESCAPE_SEQUENCE = /\\(?:([0-7]{1,3})|(\r\n|[\r\n])|([\s\S]))/g;

/** Returns the text of a string in parentheses or of hexadecimal digits (ISO 32000-2, 7.3.4 and 7.9.2). */
function textOf(written: string): string {
  const inner = written.slice(1);
  const textBytes = written.startsWith('<')
    ? Buffer.from(inner.replace(/[^0-9a-f]/gi, ''), 'hex').toString('latin1')
    : inner.replace(ESCAPE_SEQUENCE, (_, octal?: string, newLine?: string, other = '') =>
        octal !== undefined
          ? String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
          : newLine !== undefined
            ? ''
            : (ESCAPE_VALUES[other as string] ?? (other as string)),
      );
  const bytes = Buffer.from(textBytes, 'latin1');
  if (textBytes.startsWith('\xfe\xff')) {
    return bytes
      .subarray(0, bytes.length & ~1)
      .swap16()
      .toString('utf16le');
  }
  return textBytes.startsWith('\xff\xfe') ? bytes.toString('utf16le') : bytes.toString('utf8');
}

/** True for a string of a link that runs something. `bytes` begin with its bracket. */
export const runsWhenOpened = (bytes: Buffer): boolean =>
  SCHEMES.test(
    textOf(bytes.toString('latin1', 0, MAX_READ))
      // Browsers leave out control characters, and spaces before the scheme.
      .replace(/[\p{Cc}\p{Cf}\s]/gu, '')
      .toLowerCase(),
  );
