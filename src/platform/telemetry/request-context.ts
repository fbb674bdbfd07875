/**
 * Identifiers that follow a request through logs, jobs, audit entries and events. Passed by hand: asynchronous local
 * storage would put a hook on every promise of the process, which costs the ingest path more than its logging.
 */
export interface RequestContext {
  readonly requestId: string;
  readonly correlationId: string;
  /** W3C trace context as received, passed on to webhooks. */
  readonly traceparent: string | null;
}
