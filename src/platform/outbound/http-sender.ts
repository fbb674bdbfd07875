import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { hostOf } from './address-guard.js';
import type { OutboundTargets } from './targets.js';
import { tunnelAgents } from './tunnel.js';

export interface HttpPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Overrides the sender's timeout if shorter. */
  readonly timeoutMs?: number;
}

/** The result of a POST: an HTTP response, or an error code if there was none. */
export interface HttpAnswer {
  readonly statusCode: number | null;
  readonly errorCode: string | null;
  readonly retryAfter: string | null;
  /** The response body, up to the read limit. */
  readonly body: Buffer;
  /** True if the body exceeded the limit; the rest was not read. */
  readonly truncated: boolean;
  readonly durationMs: number;
}

export interface SenderLimits {
  /** The timeout of the whole exchange: lookup, connect, TLS, headers and body. */
  readonly timeoutMs: number;
  readonly readLimitBytes: number;
  readonly maxFreeSockets: number;
}

type Answer = Omit<HttpAnswer, 'durationMs'>;

const IDLE_SOCKET_MS = 30_000;

/** An error with a code of this service. Other errors have a code of Node. */
class SendError extends Error {
  constructor(readonly code: 'TIMEOUT' | 'ANSWER_INCOMPLETE') {
    super(code);
  }
}

/**
 * Sends one POST and returns its outcome; never rejects. The guard checks the address at every connection, because a host
 * may resolve differently than when its URL was configured. A proxy gets the checked address and no name, so that it cannot
 * resolve another address.
 */
export class HttpSender {
  private readonly agents: { readonly http: http.Agent; readonly https: https.Agent };
  private readonly tunnels: { readonly http: http.Agent; readonly https: https.Agent } | null;

  constructor(
    private readonly targets: OutboundTargets,
    private readonly limits: SenderLimits,
  ) {
    const options = {
      keepAlive: true,
      maxFreeSockets: limits.maxFreeSockets,
      timeout: IDLE_SOCKET_MS,
    };
    const direct = { ...options, lookup: this.lookup };
    this.agents = {
      http: new http.Agent(direct),
      https: new https.Agent({ ...direct, rejectUnauthorized: true, minVersion: 'TLSv1.2' }),
    };
    const { url } = targets.proxy;
    this.tunnels =
      url && tunnelAgents(url, async (host) => firstOf(await targets.addressesOf(host)), options);
  }

  async send(request: HttpPost): Promise<HttpAnswer> {
    const startedAt = performance.now();
    const deadline = startedAt + Math.min(request.timeoutMs ?? Infinity, this.limits.timeoutMs);
    let answer = await this.exchange(request, deadline);
    // The receiver may close an idle connection just as the request is sent: repeat it once.
    if (answer === 'STALE_CONNECTION') answer = await this.exchange(request, deadline);
    if (answer === 'STALE_CONNECTION') answer = failedAnswer('ECONNRESET');
    return { ...answer, durationMs: Math.round(performance.now() - startedAt) };
  }

  /**
   * Connects to the host of a URL, with TLS if it asks for it, and disconnects without a request. Returns the code of what
   * failed, null if nothing did; never rejects.
   */
  async reach(url: string): Promise<string | null> {
    const late = AbortSignal.timeout(this.limits.timeoutMs);
    let request: ClientRequest | undefined;
    try {
      request = this.newRequest(url, {});
      await connectionOf(request, late);
      return null;
    } catch (error) {
      return failureCodeOf(error);
    } finally {
      request?.destroy();
    }
  }

  /** Closes idle connections and aborts running requests. */
  destroy(): void {
    for (const agents of [this.agents, this.tunnels]) {
      agents?.http.destroy();
      agents?.https.destroy();
    }
  }

  private async exchange(request: HttpPost, deadline: number): Promise<Answer | 'STALE_CONNECTION'> {
    let sent: ClientRequest | undefined;
    let response: IncomingMessage | undefined;
    const late = new AbortController();
    // One timer covers the whole exchange: a receiver that trickles bytes would keep resetting an idle timeout.
    const timer = setTimeout(() => {
      late.abort();
      (response ?? sent)?.destroy(new SendError('TIMEOUT'));
    }, deadline - performance.now());
    try {
      sent = this.openRequest(request);
      response = await responseTo(sent, late.signal);
      const beginning = await beginningOf(response, this.limits.readLimitBytes);
      return { ...headOf(response), errorCode: null, ...beginning };
    } catch (error) {
      const code = failureCodeOf(error);
      if (response) return { ...failedAnswer(code), ...headOf(response) };
      const stale = sent?.reusedSocket === true && (code === 'ECONNRESET' || code === 'EPIPE');
      return stale ? 'STALE_CONNECTION' : failedAnswer(code);
    } finally {
      clearTimeout(timer);
    }
  }

  private openRequest({ url, headers, body }: HttpPost): ClientRequest {
    const request = this.newRequest(url, { ...headers, 'content-length': String(body.length) });
    request.end(body);
    return request;
  }

  /** Makes a request that connects at once and sends nothing before it is written to. */
  private newRequest(text: string, headers: Readonly<Record<string, string>>): ClientRequest {
    const url = this.targets.parse(text);
    const secure = url.protocol === 'https:';
    const tunnels = this.targets.proxy.usesProxyFor(hostOf(url)) ? this.tunnels : null;
    const agents = tunnels ?? this.agents;
    const request = (secure ? https : http).request(url, {
      method: 'POST',
      agent: secure ? agents.https : agents.http,
      headers: { ...headers },
    });
    // Through a tunnel, the peer of the socket is the proxy.
    if (!tunnels) {
      request.once('socket', (socket) => {
        this.checkPeer(socket, request);
      });
    }
    return request;
  }

  /** Checks the peer address of the socket, independently of the addresses that DNS returned. */
  private checkPeer(socket: Socket, request: ClientRequest): void {
    const check = (): void => {
      try {
        this.targets.check(socket.remoteAddress ?? '');
      } catch (error) {
        request.destroy(error as Error);
      }
    };
    if (socket.connecting) socket.once('connect', check);
    else if (!request.reusedSocket) check();
  }

  /** Resolves and checks a host. The socket connects to the returned addresses without another lookup. */
  private readonly lookup: LookupFunction = (host, options, callback) => {
    this.targets.addressesOf(host).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        if (options.all) callback(null, found);
        else callback(null, found[0]?.address ?? '', found[0]?.family);
      },
      (error: unknown) => {
        callback(error as Error, []);
      },
    );
  };
}

const firstOf = ([first = '']: readonly string[]): string => first;

/** Resolves when the response headers have arrived. Redirects are not followed. */
function responseTo(request: ClientRequest, late: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // A destroyed request that has no socket yet emits no error until it gets one.
    late.addEventListener('abort', () => {
      reject(new SendError('TIMEOUT'));
    });
    request.once('response', resolve);
    // This listener must stay: an error after the headers is reported by the body, and would be unhandled here.
    request.on('error', reject);
  });
}

/** Resolves when the request has a connection, after the handshake where there is TLS. */
function connectionOf(request: ClientRequest, late: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    late.addEventListener('abort', () => {
      reject(new SendError('TIMEOUT'));
    });
    // It stays, as in responseTo; the check of the peer destroys the request.
    request.on('error', reject);
    const done = (): void => {
      if (!request.destroyed) resolve();
    };
    request.once('socket', (socket) => {
      if (socket instanceof TLSSocket) socket.once('secureConnect', done);
      else if (socket.connecting) socket.once('connect', done);
      else done();
    });
  });
}

/** Reads up to the limit, then closes the connection without reading the rest. */
function beginningOf(response: IncomingMessage, limit: number): Promise<Pick<Answer, 'body' | 'truncated'>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length <= limit) return;
      resolve({ body: Buffer.concat(chunks).subarray(0, limit), truncated: true });
      response.destroy();
    });
    response.once('end', () => {
      resolve({ body: Buffer.concat(chunks), truncated: false });
    });
    response.once('error', reject);
    response.once('close', () => {
      if (!response.complete) reject(new SendError('ANSWER_INCOMPLETE'));
    });
  });
}

const headOf = (response: IncomingMessage): Pick<Answer, 'statusCode' | 'retryAfter'> => ({
  statusCode: response.statusCode ?? null,
  retryAfter: response.headers['retry-after'] ?? null,
});

const failedAnswer = (errorCode: string): Answer => ({
  statusCode: null,
  errorCode,
  retryAfter: null,
  body: Buffer.alloc(0),
  truncated: false,
});

/** Returns the code of what failed first. Messages are not used, because they can contain the URL. */
export function failureCodeOf(error: unknown): string {
  let found = 'SEND_FAILED';
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause ? cause.code : null;
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,63}$/.test(code)) found = code;
  }
  return found;
}
