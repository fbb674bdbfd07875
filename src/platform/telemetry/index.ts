// Owns logs, metrics and the identifiers that tie them together. Promises that no personal data or secret is in them.
export { StructuredLogger, type AccessLine, type LogOptions } from './logger.js';
export { MetricsRegistry } from './metrics-registry.js';
export { holdsSecretOrTaxId, redact } from './redaction.js';
export type { RequestContext } from './request-context.js';
export { TelemetryModule } from './telemetry.module.js';
