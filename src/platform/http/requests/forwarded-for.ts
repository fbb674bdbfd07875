import { Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { canonicalValue } from '../../kernel/values/canonical/canonical-value.js';

/** The addresses of an `X-Forwarded-For` header. `isWhole` is false if an item is not an address. */
export interface ForwardedFor {
  readonly addresses: readonly string[];
  readonly isWhole: boolean;
}

/**
 * Parses `X-Forwarded-For` without the ports, brackets and quotes that some proxies write. The nearest proxy wrote the
 * last item. Items to the left of an invalid item are not trusted and left out.
 */
export function forwardedFor(header: string): ForwardedFor {
  const items = header.split(',').map((item) => canonicalValue('IP', item.trim().replace(/^"(.*)"$/, '$1')));
  const broken = items.lastIndexOf(null);
  return {
    addresses: items.slice(broken + 1).filter((address) => address !== null),
    isWhole: broken === -1,
  };
}

/**
 * Rewrites `X-Forwarded-For` of a trusted proxy to the form that Express reads, so that a caller has one address
 * independent of its port. If an item is not an address, the proxy that sent it counts as the caller. A warning is
 * logged once, because the proxy needs another configuration.
 */
export function readForwardedFor(
  trusts: (address: string, hop: number) => boolean,
  logger: Pick<Logger, 'warn'> = new Logger('ForwardedFor'),
) {
  let isLogged = false;
  return (request: Request, _response: Response, next: NextFunction): void => {
    const header = request.headers['x-forwarded-for'];
    if (header !== undefined && trusts(request.socket.remoteAddress ?? '', 0)) {
      const { addresses, isWhole } = forwardedFor(String(header));
      request.headers['x-forwarded-for'] = addresses.join(', ');
      if (!isWhole && !isLogged) {
        isLogged = true;
        logger.warn('a proxy of TRUST_PROXY sends an X-Forwarded-For that holds no address; its own counts');
      }
    }
    next();
  };
}
