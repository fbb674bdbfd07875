import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Injectable, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost, type AbstractHttpAdapter } from '@nestjs/core';
import { Settings } from '../../config/index.js';

const SWEEP_MS = 50;

/**
 * Closes keep-alive connections when the service stops, each after its current answer. A closing server waits for all
 * connections, so a caller that always sends one more request would keep it open.
 */
@Injectable()
export class KeepAliveConnections implements OnModuleDestroy, OnApplicationShutdown {
  private sweepTimer: NodeJS.Timeout | undefined;
  private closeTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly settings: Settings,
  ) {}

  onModuleDestroy(): void {
    // The command line loads the modules without an HTTP server.
    const adapter = this.host.httpAdapter as AbstractHttpAdapter | undefined;
    if (!adapter) return;
    const server = adapter.getHttpServer() as Server;
    server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
      response.setHeader('Connection', 'close');
    });
    this.sweepTimer = setInterval(() => {
      // While the server still listens, idle connections stay open; their next answer has `Connection: close`.
      if (!server.listening) server.closeIdleConnections();
    }, SWEEP_MS);
    this.closeTimer = setTimeout(() => {
      server.closeAllConnections();
    }, this.settings.shutdownTimeoutMs);
  }

  onApplicationShutdown(): void {
    clearInterval(this.sweepTimer);
    clearTimeout(this.closeTimer);
  }
}
