import { MIMEType } from 'node:util';

/** A Content-Type as the WHATWG reads it, so that an empty parameter or odd spaces are no fault. */
export interface MediaType {
  /** Such as `application/json`; empty for a header that is missing or names no type. */
  readonly essence: string;
  /** In small letters, without the quotes that some clients send; null where none is named. */
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
