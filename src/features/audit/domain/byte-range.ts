/** Part of a file; both ends are included. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the one range of bytes that a `Range` header names in a file of `length` bytes (RFC 9110, 14.1.2); 'WHOLE'
 * when it asks for nothing that is understood, or for several ranges; 'UNSATISFIABLE' when it begins behind the end.
 */
export function byteRange(header: string | undefined, length: number): ByteRange | 'WHOLE' | 'UNSATISFIABLE' {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.replaceAll(' ', '') ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'WHOLE';
  const from = first === '' ? Math.max(0, length - Number(last)) : Number(first);
  const to = first === '' || last === '' ? length - 1 : Math.min(Number(last), length - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return 'WHOLE';
  return from > to ? 'UNSATISFIABLE' : { from, to };
}
