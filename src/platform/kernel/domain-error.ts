import { errorCodes, type ErrorCode } from './error-codes.js';

const MINUTE_MS = 60_000;

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

/** Returns an error with one detail: the path of a field, the code of the fault and its message. */
export const errorAt = (error: ErrorCode, path: string, code: string, message: string): DomainError =>
  new DomainError(error, { details: [{ path, code, message }] });

/** Returns VALIDATION_FAILED with one fault. */
export const invalid = (path: string, code: string, message: string): DomainError =>
  errorAt('VALIDATION_FAILED', path, code, message);

/** Refuses a moment that a person reports and that lies before its cause, or in the future. People write minutes. */
export function requireReportedTime(
  path: string,
  moment: Date,
  cause: { readonly at: Date; readonly name: string },
  now: Date,
): void {
  if (moment > now) throw invalid(path, 'IN_THE_FUTURE', 'Must not be in the future.');
  if (moment.getTime() + MINUTE_MS <= cause.at.getTime()) {
    throw invalid(path, 'TOO_EARLY', `Must not lie before ${cause.name}.`);
  }
}

/** Returns STATE_CONFLICT with one reason. */
export const conflict = (path: string, code: string, message: string): DomainError =>
  errorAt('STATE_CONFLICT', path, code, message);

/** Returns the value; throws the error of this code if there is none. */
export function orThrow<T>(value: T | null | undefined, code: ErrorCode): T {
  if (value === null || value === undefined) throw new DomainError(code);
  return value;
}
