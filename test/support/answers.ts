import { expect } from '@jest/globals';

/** The parts of an answer that tests look at; supertest's Response and the raw client's fit. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
  readonly text: string;
}

export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details: readonly {
    readonly path: string;
    readonly code: string;
    readonly message: string;
    readonly position?: { readonly line: number; readonly column: number };
    readonly suggestion?: string;
    readonly expected?: string;
  }[];
  readonly requestId: string;
  readonly correlationId: string;
  readonly retryable: boolean;
  readonly docs: string;
}

// An escaped error shows one of these: a stack, a path, a statement, a library.
const INSIDES = /\bat .*\.[jt]s|QueryFailed|\bSELECT\b|\bINSERT\b|node_modules|\/work\/|\/src\//;

/** Checks the error envelope to the last key and returns its error. */
export function expectError(answer: Answer, status: number, code: string): ErrorBody {
  expect({ status: answer.status, ...(answer.body as object) }).toEqual({
    status,
    data: null,
    error: {
      code,
      message: expect.any(String),
      details: expect.any(Array),
      requestId: answer.headers['x-request-id'],
      correlationId: answer.headers['x-correlation-id'],
      retryable: [408, 429, 500, 503].includes(status) || code === 'IDEMPOTENCY_IN_PROGRESS',
      docs: expect.stringMatching(new RegExp(`^https?://[^/]+/docs/errors#${code}$`)),
    },
  });
  expect(answer.text).not.toMatch(INSIDES);
  const { error } = answer.body as { error: ErrorBody };
  const helpful = new Set(['position', 'suggestion', 'expected', 'found']);
  for (const detail of error.details) {
    const always = Object.keys(detail).filter((name) => !helpful.has(name));
    expect(always.sort()).toEqual(['code', 'message', 'path']);
  }
  return error;
}

/** `path CODE` of each detail, for comparing in one line. */
export const detailsOf = (error: ErrorBody): string[] =>
  error.details.map(({ path, code }) => `${path} ${code}`.trim()).sort();

/** The names of all members, in order of the alphabet. */
export const keysOf = (value: unknown): string[] => Object.keys(value as object).sort();

/** The shape of the checkpoint in an event: none before the first was signed, then all of its parts. */
export const checkpointLike = (audit: unknown): unknown =>
  audit === null
    ? null
    : {
        origin: expect.stringMatching(/^vigia\/sandbox\/t\/[0-9a-f-]{36}\/i\/1$/),
        size: expect.any(Number),
        root: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
        signedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        signature: expect.stringMatching(/^[A-Za-z0-9+/]{91}=$/),
      };
