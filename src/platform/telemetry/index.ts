// Owns logs, metrics and request identifiers. Promises that none of them contains personal data or secrets.
export { StructuredLogger } from './logger.js';
export { MetricsRegistry } from './metrics-registry.js';
export { containsSecretOrTaxId, redact } from './redaction.js';
export type { RequestContext } from './request-context.js';
export { TelemetryModule } from './telemetry.module.js';
