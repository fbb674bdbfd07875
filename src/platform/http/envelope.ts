import type { ErrorCode, ErrorDetail } from '../kernel/index.js';

/** The shape of every JSON answer but the two that the specification shows bare. */
export interface Success<T> {
  readonly data: T;
  readonly error: null;
}

export interface ErrorView {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: readonly ErrorDetail[];
  readonly requestId: string;
  readonly correlationId: string;
  readonly retryable: boolean;
  readonly docs: string;
}

export interface Failure {
  readonly data: null;
  readonly error: ErrorView;
}

/** Wraps a result in the envelope. */
export const envelope = <T>(data: T): Success<T> => ({ data, error: null });
