// Owns the providers that check the evidence of sessions, and their answers. Promises that an address is approved by two
// people, that an answer is asked and paid once, and that anything but an answer is an error and never a pass.
export { ProvidersModule } from './providers.module.js';
export { ProvidersService, type Provider, type ProviderDraft } from './providers.service.js';
export {
  ProviderCalls,
  type ProviderCallSubject,
  type ProviderImage,
  type ProviderOutcome,
  type ProviderQuestion,
} from './provider-calls.js';
export type { ReadDocument } from './domain/answer.js';
export { providerChecks, PROVIDER_NAME, type ProviderCheck } from './domain/provider.js';
