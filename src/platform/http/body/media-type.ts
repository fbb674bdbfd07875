import { MIMEType } from 'node:util';

/** A Content-Type, parsed by the WHATWG rules, which accept an empty parameter or odd spaces. */
export interface MediaType {
  /** Such as `application/json`; empty for a header that is missing or names no type. */
  readonly essence: string;
  /** In lower case, without the single quotes that some clients send; null if the header has none. */
  readonly charset: string | null;
}

export function mediaTypeIn(header: string | undefined): MediaType {
  try {
    const { essence, params } = new MIMEType(header ?? '');
    const charset = params.get('charset')?.replace(/^'(.*)'$/, '$1');
    return { essence, charset: charset?.toLowerCase() ?? null };
  } catch {
    return { essence: '', charset: null };
  }
}
