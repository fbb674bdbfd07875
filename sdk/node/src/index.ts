// Verifies the webhooks of Vigia and types what they say. No dependencies; Node 18 or newer.
export {
  verifySignatureHeader,
  verifyWebhook,
  WebhookVerificationError,
  type HeaderSource,
  type VerificationFailure,
  type VerifyOptions,
} from './verify.js';
export type * from './events.js';
