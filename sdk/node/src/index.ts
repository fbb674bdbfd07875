// Calls the API of Vigia, verifies its webhooks and types what they say. No dependencies; Node 20 or newer.
export * from './client.js';
export * from './errors.js';
export type { Attempt, Call, TransportOptions } from './transport.js';
export {
  verifySignatureHeader,
  verifyWebhook,
  WebhookVerificationError,
  type HeaderSource,
  type VerificationFailure,
  type VerifyOptions,
} from './verify.js';
export type * from './events.js';
