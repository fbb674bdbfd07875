import { VigiaApiError, VigiaConnectionError, VigiaUsageError } from './errors.js';
import { senderFor, type WayOptions } from './proxy.js';

export interface Attempt {
  readonly method: string;
  /** Without the query, which may hold ids of people. */
  readonly path: string;
  /** From 1. */
  readonly attempt: number;
  readonly durationMs: number;
  /** Null when no answer came. */
  readonly status: number | null;
  readonly requestId: string | null;
  /** After how many milliseconds it is tried again; null when this was the last attempt. */
  readonly retryInMs: number | null;
}

export interface TransportOptions extends WayOptions {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The version of the interface that the program was written for; the newest when left out. */
  readonly apiVersion?: string;
  /** Attempts after the first one; 5 when left out. */
  readonly maxRetries?: number;
  /** How long one attempt may take; 15 seconds when left out. */
  readonly timeoutMs?: number;
  /** Called after each attempt: for logs, metrics and spans. */
  readonly onAttempt?: (attempt: Attempt) => void;
  /** Headers of each request, such as `traceparent`. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** Sends in the place of what this package has; proxies and certificates are then its own affair. */
  readonly fetch?: typeof fetch;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether doing it twice does it once. Without it a POST or PATCH is not tried again once it may have arrived. */
  readonly repeatable?: boolean;
  readonly signal?: AbortSignal;
  /** For how long the service was asked to hold the answer back; the attempt may take so much longer. */
  readonly heldMs?: number;
}

export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

interface Outcome<Body> {
  readonly answer?: Answer<Body>;
  readonly error?: VigiaApiError | VigiaConnectionError;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 20_000;
/** Refused before anything was done, so that even what must not happen twice may be sent again. */
const NOTHING_DONE = new Set([429, 503]);

/** Sends requests, and sends them again where that is safe and may help. */
export class Transport {
  private readonly base: string;
  private readonly send: typeof fetch | NonNullable<ReturnType<typeof senderFor>>;

  /** Throws VigiaUsageError. */
  constructor(private readonly options: TransportOptions) {
    this.base = baseOf(options.baseUrl);
    for (const name of ['clientId', 'clientSecret'] as const) {
      if (!/^[\x21-\x7E]+$/.test(options[name])) throw notSendable(name);
    }
    this.send = options.fetch ?? senderFor(new URL(this.base), options) ?? fetch;
  }

  async call<Body>(call: Call): Promise<Answer<Body>> {
    const repeatable = call.repeatable ?? ['GET', 'PUT', 'DELETE'].includes(call.method);
    const { maxRetries = 5, onAttempt } = this.options;
    const body = textOf(call.body);
    for (let attempt = 1; ; attempt += 1) {
      const began = Date.now();
      const { answer, error } = await this.attempt<Body>(call, body);
      const again = error !== undefined && attempt <= maxRetries && mayRepeat(error, repeatable);
      const retryInMs = again ? pauseOf(attempt, error) : null;
      const status = answer?.status ?? (error instanceof VigiaApiError ? error.status : null);
      const requestId =
        answer?.headers.get('x-request-id') ?? (error instanceof VigiaApiError ? error.requestId : null);
      const { method, path } = call;
      onAttempt?.({ method, path, attempt, durationMs: Date.now() - began, status, requestId, retryInMs });
      if (answer) return answer;
      if (error === undefined || retryInMs === null) throw error ?? new VigiaConnectionError('no answer');
      await pause(retryInMs, call.signal);
    }
  }

  private async attempt<Body>(call: Call, body: string | undefined): Promise<Outcome<Body>> {
    const { timeoutMs: usual = 15_000 } = this.options;
    const { send } = this;
    const [url, headers] = [this.urlOf(call), this.headersOf(call)];
    const timeoutMs = usual + (call.heldMs ?? 0);
    call.signal?.throwIfAborted();
    const limit = new AbortController();
    const timer = setTimeout(() => {
      limit.abort();
    }, timeoutMs);
    const stop = (): void => {
      limit.abort();
    };
    call.signal?.addEventListener('abort', stop, { once: true });
    try {
      const response = await send(url, {
        method: call.method,
        headers,
        signal: limit.signal,
        redirect: 'error',
        ...(body === undefined ? {} : { body }),
      });
      // An answer that breaks off is none: the body is part of the attempt.
      return outcomeOf<Body>(response, await response.text());
    } catch (cause) {
      call.signal?.throwIfAborted();
      const why = limit.signal.aborted ? `no answer within ${timeoutMs} ms` : 'the connection failed';
      return { error: new VigiaConnectionError(`${call.method} ${call.path}: ${why}`, { cause }) };
    } finally {
      clearTimeout(timer);
      call.signal?.removeEventListener('abort', stop);
    }
  }

  private urlOf({ path, query = {} }: Call): URL {
    const url = new URL(this.base + path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url;
  }

  private headersOf(call: Call): Record<string, string> {
    const { clientId, clientSecret, apiVersion, headers } = this.options;
    const all = {
      accept: 'application/json',
      'x-client-id': clientId,
      'x-client-secret': clientSecret,
      ...(apiVersion === undefined ? {} : { 'x-api-version': apiVersion }),
      ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers?.(),
      ...call.headers,
    };
    for (const [name, value] of Object.entries(all)) {
      if (!/^[\x20-\x7E]*$/.test(value)) throw notSendable(name);
    }
    return all;
  }
}

const notSendable = (name: string): VigiaUsageError =>
  new VigiaUsageError(`${name}: empty, or with a character that no header takes, such as a line break`);

/** Reads the address of the service, without the slashes that may end it. Throws VigiaUsageError. */
export function baseOf(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.search + url.hash !== '') {
    throw new VigiaUsageError('baseUrl: no address such as https://vigia.example');
  }
  return url.href.replace(/\/+$/, '');
}

/** Writes a body; the errors of JSON itself may quote it. */
function textOf(body: unknown): string | undefined {
  try {
    return JSON.stringify(body);
  } catch {
    throw new VigiaUsageError('body: holds what JSON does not know, such as a BigInt or a circle');
  }
}

function outcomeOf<Body>(response: Response, text: string): Outcome<Body> {
  const { status, headers } = response;
  const body = parsed(text);
  if (response.ok && (body !== undefined || text === '')) {
    return { answer: { status, headers, body: body as Body } };
  }
  const said = (body as { error?: object } | undefined)?.error ?? {};
  const after = Number(headers.get('retry-after') ?? Number.NaN);
  return { error: new VigiaApiError(status, said, Number.isFinite(after) && after >= 0 ? after : null) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the page of a proxy, which is not an answer of the service
  }
}

function mayRepeat(error: VigiaApiError | VigiaConnectionError, repeatable: boolean): boolean {
  if (error instanceof VigiaConnectionError) return repeatable;
  return NOTHING_DONE.has(error.status) || (repeatable && error.retryable);
}

/** As long as the service asks for, or longer each time; in part by chance, so that many do not come back at once. */
function pauseOf(attempt: number, error: VigiaApiError | VigiaConnectionError): number {
  const asked = error instanceof VigiaApiError ? error.retryAfterSeconds : null;
  if (asked !== null) return Math.min(asked * 1_000, 10 * LONGEST_PAUSE_MS) + Math.random() * FIRST_PAUSE_MS;
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
  return longest / 2 + (Math.random() * longest) / 2;
}

/** Waits, unless the caller gives up before. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
