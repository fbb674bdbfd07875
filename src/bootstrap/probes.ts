import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import type { Settings } from '../platform/config/index.js';
import { isProbePath } from '../platform/http/index.js';
import { DomainError } from '../platform/kernel/index.js';

const probePortRequests = new WeakSet<IncomingMessage>();

/** True if /health and /metrics have a port of their own (in production), which serves nothing else. */
export const hasProbePort = (settings: Settings): boolean => settings.nodeEnv === 'production';

/** Refuses requests on the wrong port, so that integrators and the internet never see metrics. */
export function requireProbePort(request: Request, _response: Response, next: NextFunction): void {
  const isRightPort = probePortRequests.has(request) === isProbePath(request.path);
  next(isRightPort ? undefined : new DomainError('ROUTE_NOT_FOUND'));
}

export interface ProbeServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Listens on PROBES_PORT for monitoring. This port closes last at shutdown. */
export async function openProbeServer(app: NestExpressApplication, settings: Settings): Promise<ProbeServer> {
  const express = app.getHttpAdapter().getInstance() as RequestListener;
  const server = createServer((request, response) => {
    probePortRequests.add(request);
    express(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.probesPort, settings.probesHost, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${settings.probesHost.includes(':') ? `[${settings.probesHost}]` : settings.probesHost}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
