import type { Request } from 'express';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { ErrorDetail } from '../../kernel/index.js';
import type { RequestContext } from '../../telemetry/index.js';
import type { ClientPrincipal, OperatorPrincipal } from '../access/access.js';

/** The data of this service about a request, in addition to the data of Express. */
export interface Exchange {
  readonly context: RequestContext;
  readonly startedAt: number;
  /** The UUID in the request id that this service has made; null if the caller sent a request id. */
  readonly ownId: string | null;
  /** The length of the body as announced; null if none was announced. */
  readonly bytesIn: number | null;
  /** The parsed JSON body, for the request log. */
  body: unknown;
  /** The error with which the request was answered; null if it was not refused. */
  refusal: { readonly code: string; readonly details: readonly ErrorDetail[] } | null;
  client: ClientPrincipal | null;
  operator: OperatorPrincipal | null;
}

const EXCHANGE = Symbol('vigia.exchange');
type WithExchange = Request & { [EXCHANGE]?: Exchange };

export const setExchange = (request: Request, exchange: Exchange): void => {
  (request as WithExchange)[EXCHANGE] = exchange;
};

/** Returns the exchange of a request. Throws if the context middleware, which makes it, did not run. */
export function exchangeOf(request: Request): Exchange {
  const exchange = (request as WithExchange)[EXCHANGE];
  if (!exchange) throw new Error('request without exchange: the context middleware did not run');
  return exchange;
}

/** Returns the owner of the idempotency keys of a request. Throws on a route without a principal. */
export function principalOf({ client, operator }: Exchange): {
  readonly name: string;
  readonly organisationId: string;
} {
  if (client) return { name: `client:${client.id}`, organisationId: client.organisationId };
  if (operator) return { name: `operator:${operator.id}`, organisationId: operator.organisationId };
  throw new Error('a route without a principal has no idempotency keys');
}

/** Injects the calling application into a handler; only for routes that are `forClient`. */
export const CurrentClient = createParamDecorator(
  (_: unknown, execution: ExecutionContext): ClientPrincipal => {
    const { client } = exchangeOf(execution.switchToHttp().getRequest<Request>());
    if (!client) throw new Error('CurrentClient on a route that is not for clients');
    return client;
  },
);

/** Injects the calling operator into a handler; only for routes that are `forOperator`. */
export const CurrentOperator = createParamDecorator(
  (_: unknown, execution: ExecutionContext): OperatorPrincipal => {
    const { operator } = exchangeOf(execution.switchToHttp().getRequest<Request>());
    if (!operator) throw new Error('CurrentOperator on a route that is not for operators');
    return operator;
  },
);

/** Injects the identifiers of the request. */
export const CurrentRequest = createParamDecorator(
  (_: unknown, execution: ExecutionContext): RequestContext =>
    exchangeOf(execution.switchToHttp().getRequest<Request>()).context,
);
