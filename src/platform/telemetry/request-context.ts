/**
 * Identifiers of a request that appear in its logs, jobs, audit entries and events. They are passed as arguments:
 * AsyncLocalStorage hooks every promise, which would cost the ingest path more than its logging.
 */
export interface RequestContext {
  readonly requestId: string;
  readonly correlationId: string;
  /** W3C trace context as received, passed on to webhooks. */
  readonly traceparent: string | null;
}
