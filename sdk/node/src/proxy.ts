import * as http from 'node:http';
import * as https from 'node:https';
import { isIP } from 'node:net';
import * as tls from 'node:tls';
import { VigiaUsageError } from './errors.js';

export interface WayOptions {
  /** The proxy, such as `http://proxy.example:3128`; an empty text for none, whatever the environment says. */
  readonly proxy?: string;
  /** Certificates and the like of `node:tls`: `ca` for an authority of your own, `cert` and `key` for mutual TLS. */
  readonly tls?: tls.ConnectionOptions;
}

interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly body?: string;
}

/** Returns what sends in the place of fetch, which knows neither proxies nor certificates; null if fetch does. */
export function senderFor(
  base: URL,
  options: WayOptions,
): ((url: URL, sent: Sent) => Promise<Response>) | null {
  const proxy = proxyFor(base, options.proxy);
  if (proxy === null && options.tls === undefined) return null;
  return async (url, sent) => {
    if (url.protocol === 'https:') {
      const through = proxy && (await tunnel(proxy, url, sent.signal));
      const secure = {
        ...options.tls,
        ...(through && { createConnection: overTls(through, url, options) }),
      };
      return answerOf(https.request(url, { ...secure, ...partsOf(sent) }), sent);
    }
    if (proxy === null) return answerOf(http.request(url, partsOf(sent)), sent);
    const headers = { ...sent.headers, host: url.host, ...credentialsOf(proxy) };
    return answerOf(http.request(proxy, { ...partsOf(sent), path: url.href, headers }), sent);
  };
}

const partsOf = ({ method, headers, signal }: Sent): http.RequestOptions => ({ method, headers, signal });

const overTls =
  (socket: tls.ConnectionOptions['socket'], { hostname }: URL, options: WayOptions) =>
  (): tls.TLSSocket =>
    tls.connect({ ...options.tls, socket, host: hostname, servername: isIP(hostname) ? '' : hostname });

function tunnel(
  proxy: URL,
  { hostname, port }: URL,
  signal: AbortSignal,
): Promise<tls.ConnectionOptions['socket']> {
  const path = `${hostname}:${port === '' ? 443 : port}`;
  const headers = { host: path, ...credentialsOf(proxy) };
  return new Promise((resolve, reject) => {
    http
      .request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path, headers, signal })
      .once('connect', ({ statusCode }, socket) => {
        if (statusCode === 200) resolve(socket);
        else {
          socket.destroy();
          reject(new Error(`the proxy answers ${statusCode}`));
        }
      })
      .once('error', reject)
      .end();
  });
}

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(text).toString('base64')}` };
}

function answerOf(request: http.ClientRequest, { body }: Sent): Promise<Response> {
  return new Promise((resolve, reject) => {
    request
      .once('error', reject)
      .once('response', (response) => {
        const chunks: Buffer[] = [];
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .once('error', reject)
          .once('end', () => {
            const { statusCode: status = 502, headers } = response;
            const entries = Object.entries(headers).map(([name, value]): [string, string] => [
              name,
              String(value),
            ]);
            resolve(
              new Response(chunks.length === 0 ? null : Buffer.concat(chunks), { status, headers: entries }),
            );
          });
      })
      .end(body);
  });
}

/** The proxy that is asked for, or the one that the environment has for this address. */
function proxyFor(base: URL, asked: string | undefined): URL | null {
  const { env } = process;
  const kind = base.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const named = asked ?? (isExempt(base) ? '' : (env[kind] ?? env[kind.toUpperCase()] ?? ''));
  if (named === '') return null;
  const url = urlIn(named.includes('://') ? named : `http://${named}`);
  if (url?.protocol !== 'http:') throw new VigiaUsageError('proxy: no address that begins with http://');
  return url;
}

function isExempt({ hostname, host }: URL): boolean {
  const names = (process.env['no_proxy'] ?? process.env['NO_PROXY'] ?? '')
    .split(',')
    .map((one) => one.trim());
  return names.some((name) => {
    const bare = name.replace(/^\*?\./, '');
    return (
      name === '*' || (bare !== '' && (bare === host || bare === hostname || hostname.endsWith(`.${bare}`)))
    );
  });
}

const urlIn = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);
