import type { ErrorCode, ErrorDetail } from '../kernel/index.js';

/** The shape of every successful JSON answer, except two that the specification defines without an envelope. */
export interface SuccessEnvelope<T> {
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

export interface FailureEnvelope {
  readonly data: null;
  readonly error: ErrorView;
}

export const envelope = <T>(data: T): SuccessEnvelope<T> => ({ data, error: null });
