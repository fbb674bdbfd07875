/** Part of a file; both ends are included. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the range of bytes that a `Range` header requests in a file of `length` bytes (RFC 9110, 14.1.2): 'WHOLE' if
 * the header is absent, invalid or has several ranges; 'UNSATISFIABLE' if the range starts after the end of the file.
 */
export function parseByteRange(
  header: string | undefined,
  length: number,
): ByteRange | 'WHOLE' | 'UNSATISFIABLE' {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.replaceAll(' ', '') ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'WHOLE';
  const from = first === '' ? Math.max(0, length - Number(last)) : Number(first);
  const to = first === '' || last === '' ? length - 1 : Math.min(Number(last), length - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return 'WHOLE';
  return from > to ? 'UNSATISFIABLE' : { from, to };
}
