import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../config/index.js';
import { redact } from '../telemetry/index.js';
import type { AttemptResult } from './domain/schedule.js';
import { WebhookTargets } from './webhook-targets.js';

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface SendResult extends AttemptResult {
  /** The beginning of the answer's body, masked; null when it had none. */
  readonly excerpt: string | null;
  readonly durationMs: number;
}

type Answer = Omit<SendResult, 'durationMs'>;

const READ_LIMIT = 64 * 1024;
const EXCERPT_LENGTH = 4_096;
const IDLE_SOCKET_MS = 30_000;

/** An error whose code is ours, beside those that Node gives its own. */
class SendError extends Error {
  constructor(readonly code: 'TIMEOUT' | 'ANSWER_INCOMPLETE') {
    super(code);
  }
}

/**
 * Sends one POST and tells what came of it; never rejects. Connects only to addresses that the guard allowed, which
 * it asks anew for every connection: what a name led to when the endpoint was created proves nothing now.
 */
@Injectable()
export class WebhookSender implements OnApplicationShutdown {
  private readonly agents: { readonly http: http.Agent; readonly https: https.Agent };

  constructor(
    private readonly settings: Settings,
    private readonly targets: WebhookTargets,
  ) {
    const options = {
      keepAlive: true,
      maxFreeSockets: settings.webhookConcurrency,
      timeout: IDLE_SOCKET_MS,
      lookup: this.lookup,
    };
    this.agents = {
      http: new http.Agent(options),
      https: new https.Agent({ ...options, rejectUnauthorized: true, minVersion: 'TLSv1.2' }),
    };
  }

  async send(request: WebhookRequest): Promise<SendResult> {
    const startedAt = performance.now();
    const deadline = startedAt + this.settings.webhookTimeoutMs;
    let answer = await this.exchange(request, deadline);
    // The receiver may close an idle connection at the very moment of our request: that is no answer of its own.
    if (answer === 'STALE_CONNECTION') answer = await this.exchange(request, deadline);
    if (answer === 'STALE_CONNECTION') answer = failed('ECONNRESET');
    return { ...answer, durationMs: Math.round(performance.now() - startedAt) };
  }

  onApplicationShutdown(): void {
    this.agents.http.destroy();
    this.agents.https.destroy();
  }

  private async exchange(request: WebhookRequest, deadline: number): Promise<Answer | 'STALE_CONNECTION'> {
    let sent: ClientRequest | undefined;
    let response: IncomingMessage | undefined;
    // One timer over lookup, connect, TLS, headers and body: a receiver that trickles bytes resets any other.
    const timer = setTimeout(
      () => (response ?? sent)?.destroy(new SendError('TIMEOUT')),
      deadline - performance.now(),
    );
    try {
      sent = this.open(request);
      response = await responseTo(sent);
      const body = await beginningOf(response);
      return { ...headOf(response), errorCode: null, excerpt: excerptOf(body) };
    } catch (error) {
      const code = codeOf(error);
      if (response) return { ...failed(code), ...headOf(response) };
      const stale = sent?.reusedSocket === true && (code === 'ECONNRESET' || code === 'EPIPE');
      return stale ? 'STALE_CONNECTION' : failed(code);
    } finally {
      clearTimeout(timer);
    }
  }

  private open({ url: text, headers, body }: WebhookRequest): ClientRequest {
    const url = this.targets.parse(text);
    const secure = url.protocol === 'https:';
    const request = (secure ? https : http).request(url, {
      method: 'POST',
      agent: secure ? this.agents.https : this.agents.http,
      headers: { ...headers, 'content-length': String(body.length) },
    });
    request.once('socket', (socket) => {
      this.watch(socket, request);
    });
    request.end(body);
    return request;
  }

  /** The last wall: whatever was resolved, this is the address that the connection has. */
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

  /** Resolves and checks; the connection is made to what this returns, without asking DNS again. */
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

/** Resolves with the head of the answer. Redirects are answers like any other: nothing here follows them. */
function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    // Stays for the life of the request: an error after the answer is the body's to report.
    request.on('error', reject);
  });
}

/** Reads up to the limit. More than that is not waited for; the connection is dropped instead of drained. */
function beginningOf(response: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length < READ_LIMIT) return;
      resolve(Buffer.concat(chunks));
      response.destroy();
    });
    response.once('end', () => {
      resolve(Buffer.concat(chunks));
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
  excerpt: null,
});

/** The code of an error; never its message, which can hold the URL. */
function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : 'SEND_FAILED';
}

function excerptOf(body: Buffer): string | null {
  // Twice the length, so that what masking shortens does not leave half a number at the end.
  const text = redact(body.toString('utf8', 0, 2 * EXCERPT_LENGTH));
  const printable = text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '').slice(0, EXCERPT_LENGTH);
  return printable === '' ? null : printable;
}
