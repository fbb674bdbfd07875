import { errorCodes, type ErrorCode } from './error-codes.js';

/** One fault of the input. `message` never holds the value that was sent. */
export interface ErrorDetail {
  readonly path: string;
  readonly code: string;
  readonly message: string;
  /** The position of the fault in the text of the field: offsets in UTF-16 units, line and column from 1. */
  readonly position?: {
    readonly start: number;
    readonly end: number;
    readonly line: number;
    readonly column: number;
  };
  readonly expected?: string;
  readonly found?: string;
  /** The value that was probably intended. */
  readonly suggestion?: string;
}

export interface DomainErrorOptions {
  readonly details?: readonly ErrorDetail[];
  readonly retryAfterSeconds?: number;
  /** Extra response headers, such as `Allow` on 405. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** An expected error with a stable code. Only `http/errors/error.filter.ts` translates it to HTTP. */
export class DomainError extends Error {
  readonly details: readonly ErrorDetail[];
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: ErrorCode,
    options: DomainErrorOptions = {},
  ) {
    super(errorCodes[code].message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'DomainError';
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? {};
  }
}
