import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Actor } from '../audit/index.js';
import { exchangeOf, type OperatorPrincipal } from '../../platform/http/index.js';

/** The origin of a call (IP address, user agent) and its request ids, for sessions and audit entries. */
export interface CallOrigin {
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
  readonly correlationId: string | null;
}

/** For actions of the service itself, or from the command line. */
export const NO_CALL: CallOrigin = { ip: null, userAgent: null, requestId: null, correlationId: null };

export interface OperatorActorContext extends CallOrigin {
  readonly actor: Actor;
}

export const operatorActorContext = (
  operator: Pick<OperatorPrincipal, 'id'>,
  origin: CallOrigin,
): OperatorActorContext => ({
  ...origin,
  actor: { type: 'operator', id: operator.id },
});

export const systemActorContext = (id: string, origin: CallOrigin = NO_CALL): OperatorActorContext => ({
  ...origin,
  actor: { type: 'system', id },
});

export const FromCall = createParamDecorator((_: unknown, execution: ExecutionContext): CallOrigin => {
  const request = execution.switchToHttp().getRequest<Request>();
  const { requestId, correlationId } = exchangeOf(request).context;
  const userAgent = request.headers['user-agent'] ?? null;
  return { ip: request.ip ?? null, userAgent, requestId, correlationId };
});
