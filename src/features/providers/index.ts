// Owns check providers and their answers. Promises that two people approve a provider's address, that a check is requested
// and paid once, and that an error never counts as a passed check.
export { ProvidersModule } from './providers.module.js';
export { ProviderClient } from './provider-client.js';
export { ProvidersService, type ProviderDraft } from './providers.service.js';
export { ProviderGateway, type ProviderImage, type ProviderOutcome } from './provider-gateway.js';
export type { DocumentReading } from './domain/answer.js';
export { providerChecks, PROVIDER_NAME, type ProviderCheck } from './domain/provider.js';
