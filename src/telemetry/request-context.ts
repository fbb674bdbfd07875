import { AsyncLocalStorage } from 'node:async_hooks';

/** Identifiers that follow a request or a job through logs. Only identifiers: a transaction never travels here. */
export interface RequestContext {
  readonly requestId: string;
  readonly correlationId: string;
  /** W3C trace context as received, passed on to webhooks. */
  readonly traceparent: string | null;
}

const storage = new AsyncLocalStorage<RequestContext>();

export const requestContext = {
  run: <T>(context: RequestContext, work: () => T): T => storage.run(context, work),
  current: (): RequestContext | undefined => storage.getStore(),
};
