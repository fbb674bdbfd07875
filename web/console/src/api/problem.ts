/** Why a call had no success, in the terms in which the console tells it. */
export class Problem extends Error {
  constructor(
    /** The stable code of the service; OFFLINE when there was no answer. */
    readonly code: string,
    /** 0 when there was no answer. */
    readonly status: number,
    /** Support finds the call by it; null when nothing came back. */
    readonly requestId: string | null = null,
    readonly details: readonly ProblemDetail[] = [],
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(code);
  }

  /** Whether the same call may succeed later, without anybody changing anything. */
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

export interface ProblemDetail {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads the envelope of an answer that is an error; a proxy's page in its place tells the status alone. */
export function problemOf(response: Response, body: unknown): Problem {
  const error = isRecord(body) && isRecord(body['error']) ? body['error'] : {};
  const text = (key: string): string | null => (typeof error[key] === 'string' ? error[key] : null);
  const details = Array.isArray(error['details']) ? error['details'].filter(isDetail) : [];
  const seconds = response.headers.get('retry-after');
  return new Problem(
    text('code') ?? String(response.status),
    response.status,
    text('requestId') ?? response.headers.get('x-request-id'),
    details,
    seconds !== null && /^\d{1,6}$/.test(seconds) ? Number(seconds) : null,
  );
}

const isDetail = (value: unknown): value is ProblemDetail =>
  isRecord(value) && typeof value['path'] === 'string' && typeof value['code'] === 'string';

export const asProblem = (error: unknown): Problem =>
  error instanceof Problem ? error : new Problem('UNEXPECTED', -1);
