import http from 'node:http';
import https from 'node:https';
import { isIP, isIPv6, type Socket } from 'node:net';
import tls from 'node:tls';

/** The proxy refused the connection. Its response must not be taken for the receiver's. */
export class ProxyRefusedError extends Error {
  readonly code = 'PROXY_REFUSED';

  constructor() {
    super('the proxy refused the connection');
    this.name = 'ProxyRefused';
  }
}

/** Returns the host for the CONNECT request: a checked address, or the name if the proxy resolves it. */
export type DestinationResolver = (host: string) => Promise<string>;

// A slower proxy counts as unreachable. Callers have their own, often shorter, timeouts.
const CONNECT_MS = 10_000;

type SocketCallback = (error: Error | null, socket: Socket) => void;

/** Returns agents that connect through the proxy. TLS ends at the target host, so the proxy reads no content. */
export function tunnelAgents(
  proxy: URL,
  destination: DestinationResolver,
  options: https.AgentOptions,
): { readonly http: http.Agent; readonly https: https.Agent } {
  const httpAgent = new http.Agent(options);
  const secure = new https.Agent({ ...options, rejectUnauthorized: true, minVersion: 'TLSv1.2' });
  const through = (isSecure: boolean) => (request: https.RequestOptions, made?: unknown) => {
    const host = request.host ?? '';
    openTunnel(proxy, destination, host, Number(request.port)).then(
      (socket) => {
        const servername = isIP(host) === 0 ? { servername: host } : {};
        // `path` is the URL path here, but `tls.connect` would take it for a Unix socket.
        const target = { ...request, ...servername, socket, path: undefined };
        (made as SocketCallback)(null, isSecure ? tls.connect(target as tls.ConnectionOptions) : socket);
      },
      (error: unknown) => {
        (made as (error: unknown) => void)(error);
      },
    );
    return undefined;
  };
  return {
    http: Object.assign(httpAgent, { createConnection: through(false) }),
    https: Object.assign(secure, { createConnection: through(true) }),
  };
}

async function openTunnel(
  proxy: URL,
  destination: DestinationResolver,
  host: string,
  port: number,
): Promise<Socket> {
  const resolvedHost = await destination(host);
  const target = `${isIPv6(resolvedHost) ? `[${resolvedHost}]` : resolvedHost}:${port}`;
  const { username, password } = proxy;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return new Promise((resolve, reject) => {
    const connectRequest = (proxy.protocol === 'https:' ? https : http).request({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port === '' ? (proxy.protocol === 'https:' ? 443 : 80) : Number(proxy.port),
      method: 'CONNECT',
      path: target,
      agent: false,
      headers: {
        host: target,
        ...(username !== '' && {
          'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}`,
        }),
      },
    });
    const timer = setTimeout(() => connectRequest.destroy(new ProxyRefusedError()), CONNECT_MS);
    connectRequest.once('connect', ({ statusCode }, socket, head) => {
      clearTimeout(timer);
      if (statusCode === 200 && head.length === 0) resolve(socket);
      else {
        socket.destroy();
        reject(new ProxyRefusedError());
      }
    });
    connectRequest.once('response', (answer) => {
      answer.destroy();
      reject(new ProxyRefusedError());
    });
    connectRequest.once('error', () => {
      clearTimeout(timer);
      reject(new ProxyRefusedError());
    });
    connectRequest.end();
  });
}
