import type { components } from './schema.js';

type ErrorObject = components['schemas']['ErrorObjectView'];

/** Everything that this package throws beside what is wrong with a webhook. */
export class VigiaError extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The call itself is wrong, and nothing was sent; the message names what, and no value. */
export class VigiaUsageError extends VigiaError {}

/** The service refused: `code` is stable, `details` say where and why. */
export class VigiaApiError extends VigiaError {
  readonly code: string;
  readonly details: ErrorObject['details'];
  /** To be named in questions to whoever runs the service. */
  readonly requestId: string | null;
  readonly correlationId: string | null;
  /** Whether the same request may succeed later; the client has tried again already. */
  readonly retryable: boolean;

  constructor(
    readonly status: number,
    error: Partial<ErrorObject>,
    readonly retryAfterSeconds: number | null,
  ) {
    const code = error.code ?? `HTTP_${status}`;
    const where = (error.details ?? []).map(({ path, code: fault }) => `${path || 'body'}: ${fault}`);
    super([`${status} ${code}`, error.message, ...where].filter(Boolean).join('; '));
    this.code = code;
    this.details = error.details ?? [];
    this.requestId = error.requestId ?? null;
    this.correlationId = error.correlationId ?? null;
    this.retryable = error.retryable ?? (status === 429 || status >= 502);
  }
}

/** No answer came: the network, or a time limit of one attempt. What was asked for may have happened. */
export class VigiaConnectionError extends VigiaError {}

/** The decision did not come in time. The transaction is accepted, and is decided later: read it, or wait for its event. */
export class VigiaUndecidedError extends VigiaError {
  constructor(readonly transactionId: string) {
    super(`the transaction is accepted and was not decided in time`);
  }
}

/** The service gave the transaction up; people replay it. Hold it until then. */
export class VigiaDeadLetterError extends VigiaError {
  constructor(readonly transactionId: string) {
    super(`the transaction is a dead letter`);
  }
}
