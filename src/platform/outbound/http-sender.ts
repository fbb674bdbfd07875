import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { hostOf } from './address-guard.js';
import type { OutboundTargets } from './targets.js';
import { tunnelAgents } from './tunnel.js';

export interface HttpPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** A shorter limit than that of the sender. */
  readonly timeoutMs?: number;
}

/** The result of a POST: an answer, or the code of the error that took its place. */
export interface HttpAnswer {
  readonly statusCode: number | null;
  readonly errorCode: string | null;
  readonly retryAfter: string | null;
  /** The answer's body, up to the limit. */
  readonly body: Buffer;
  /** The body was longer than the limit; its rest was never read. */
  readonly truncated: boolean;
  readonly durationMs: number;
}

export interface SenderLimits {
  /** Over lookup, connect, TLS, headers and body together. */
  readonly timeoutMs: number;
  readonly readLimitBytes: number;
  readonly maxFreeSockets: number;
}

type Answer = Omit<HttpAnswer, 'durationMs'>;

const IDLE_SOCKET_MS = 30_000;

/** An error with a code of ours, beside the codes of Node. */
class SendError extends Error {
  constructor(readonly code: 'TIMEOUT' | 'ANSWER_INCOMPLETE') {
    super(code);
  }
}

/**
 * Sends one POST and returns its outcome; never rejects. Connects only to addresses that the guard allows at every
 * connection: an address resolved when the URL was configured proves nothing now. A proxy gets the address and no name, so
 * that it cannot be led elsewhere.
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
    // The receiver may close an idle connection at the very moment of our request: that is no answer of its own.
    if (answer === 'STALE_CONNECTION') answer = await this.exchange(request, deadline);
    if (answer === 'STALE_CONNECTION') answer = failed('ECONNRESET');
    return { ...answer, durationMs: Math.round(performance.now() - startedAt) };
  }

  /** Closes idle connections, and cuts off requests under way. */
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
    // One timer over lookup, connect, TLS, headers and body: a receiver that trickles bytes resets any other.
    const timer = setTimeout(() => {
      late.abort();
      (response ?? sent)?.destroy(new SendError('TIMEOUT'));
    }, deadline - performance.now());
    try {
      sent = this.open(request);
      response = await responseTo(sent, late.signal);
      const beginning = await beginningOf(response, this.limits.readLimitBytes);
      return { ...headOf(response), errorCode: null, ...beginning };
    } catch (error) {
      const code = codeOf(error);
      if (response) return { ...failed(code), ...headOf(response) };
      const stale = sent?.reusedSocket === true && (code === 'ECONNRESET' || code === 'EPIPE');
      return stale ? 'STALE_CONNECTION' : failed(code);
    } finally {
      clearTimeout(timer);
    }
  }

  private open({ url: text, headers, body }: HttpPost): ClientRequest {
    const url = this.targets.parse(text);
    const secure = url.protocol === 'https:';
    const tunnels = this.targets.proxy.leadsTo(hostOf(url)) ? this.tunnels : null;
    const agents = tunnels ?? this.agents;
    const request = (secure ? https : http).request(url, {
      method: 'POST',
      agent: secure ? agents.https : agents.http,
      headers: { ...headers, 'content-length': String(body.length) },
    });
    // The other end of a tunnel is the proxy.
    if (!tunnels) {
      request.once('socket', (socket) => {
        this.watch(socket, request);
      });
    }
    request.end(body);
    return request;
  }

  /** Checks the address that the connection really has, whatever was resolved. */
  private watch(socket: Socket, request: ClientRequest): void {
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

  /** Resolves and checks a host; the connection goes to the returned addresses, without asking DNS again. */
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

/** Resolves with the head of the answer. Redirects are answers like any other: nothing here follows them. */
function responseTo(request: ClientRequest, late: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // A request without a connection reports its end only when it gets one.
    late.addEventListener('abort', () => {
      reject(new SendError('TIMEOUT'));
    });
    request.once('response', resolve);
    // Stays for the life of the request: an error after the answer is the body's to report.
    request.on('error', reject);
  });
}

/** Reads up to the limit; then the connection is dropped instead of drained. */
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

const failed = (errorCode: string): Answer => ({
  statusCode: null,
  errorCode,
  retryAfter: null,
  body: Buffer.alloc(0),
  truncated: false,
});

/** The code of an error; never its message, which can hold the URL. */
function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : 'SEND_FAILED';
}
