import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../config/index.js';
import { hostOf, isLocalhostName, LOOPBACK } from './address-guard.js';
import { tunnelAgents } from './tunnel.js';

const IDLE_SOCKET_MS = 30_000;
// Responses with these statuses have no body; the constructor of Response refuses a body.
const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * Routes requests through OUTBOUND_PROXY, except to OUTBOUND_DIRECT_HOSTS and to this machine. Without a proxy, all
 * requests go out directly.
 */
@Injectable()
export class OutboundProxy implements OnApplicationShutdown {
  readonly url: URL | null;
  private readonly agents: { readonly http: http.Agent; readonly https: https.Agent } | null;

  constructor(private readonly settings: Settings) {
    const { outboundProxy } = settings;
    this.url = outboundProxy === null ? null : new URL(outboundProxy);
    // These hosts are in the service's own settings, so the proxy may resolve their names.
    this.agents =
      this.url &&
      tunnelAgents(this.url, (host) => Promise.resolve(host), { keepAlive: true, timeout: IDLE_SOCKET_MS });
  }

  /** True if requests to this host go through the proxy. */
  usesProxyFor(host: string): boolean {
    if (this.url === null || isLocalhostName(host) || LOOPBACK.has(host)) return false;
    return !this.settings.outboundDirectHosts.some((direct) =>
      direct.startsWith('.') ? host.endsWith(direct) : host === direct,
    );
  }

  /** True if the proxy, and not this process, resolves the host. */
  resolvesHost(host: string): boolean {
    return this.settings.outboundProxyResolves && this.usesProxyFor(host);
  }

  /** Calls the global `fetch`, through the proxy for hosts that need it. Through the proxy, redirects are not followed. */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    if (this.agents === null || !this.usesProxyFor(hostOf(url))) return fetch(request);
    const secure = url.protocol === 'https:';
    const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
    const agent = secure ? this.agents.https : this.agents.http;
    const { method, signal } = request;
    const headers = Object.fromEntries(request.headers);
    return new Promise((resolve, reject) => {
      const request = (secure ? https : http).request(url, { method, signal, headers, agent });
      request.once('response', (answer) => {
        const status = answer.statusCode ?? 0;
        if (WITHOUT_BODY.has(status)) answer.resume();
        const content = WITHOUT_BODY.has(status) ? null : Readable.toWeb(answer);
        resolve(
          new Response(content as BodyInit | null, { status, headers: headerPairsOf(answer.rawHeaders) }),
        );
      });
      request.once('error', reject);
      // A destroyed request that has no socket yet emits no error until it gets one.
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
      request.end(body);
    });
  };

  onApplicationShutdown(): void {
    this.agents?.http.destroy();
    this.agents?.https.destroy();
  }
}

const headerPairsOf = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, i): [string, string][] => (i % 2 === 0 ? [[name, raw[i + 1] ?? '']] : []));
