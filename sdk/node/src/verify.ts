import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookEvent } from './events.js';

/** Headers as Node, Express, Fastify (a record) or Fetch (`Headers`) give them. */
export type HeaderSource = FetchHeaders | HeaderRecord;

interface FetchHeaders {
  get(name: string): string | null;
}
type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>;

const WORDS = {
  SECRET_MISSING: 'no signing secret was given',
  SECRET_INVALID:
    'the signing secret is not as it was shown: whsec_ and base64, with no blank, quote or v1, around it',
  HEADER_MISSING: 'the headers of the signature are not there',
  TIMESTAMP_INVALID: 'webhook-timestamp is no number of seconds',
  TIMESTAMP_TOO_OLD: 'it was sent too long ago, or the clock here is fast',
  TIMESTAMP_TOO_NEW: 'it was sent in the future, or the clock here is slow',
  SIGNATURE_MISMATCH: 'the signature is of another secret, or the body is not as it arrived',
  BODY_PARSED: 'the body was parsed before: pass the raw bytes as they arrived',
  BODY_INVALID: 'the body is no JSON',
} as const;

export type VerificationFailure = keyof typeof WORDS;

/** The request is not, or not provably, from Vigia: answer 401 and do nothing. */
export class WebhookVerificationError extends Error {
  constructor(readonly code: VerificationFailure) {
    super(`webhook refused: ${code}: ${WORDS[code]}`);
    this.name = 'WebhookVerificationError';
  }
}

export interface VerifyOptions {
  readonly headers: HeaderSource;
  /** The body exactly as it arrived: not parsed, not re-encoded. */
  readonly body: Uint8Array | string;
  /** The signing secret as shown (`whsec_…`); during a rotation the old and the new one. */
  readonly secret: string | readonly string[];
  /** How far the timestamp may be from the clock, in seconds; 300 when left out. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970; the clock when left out. */
  readonly now?: number;
}

/**
 * Verifies the Standard Webhooks headers (`webhook-id`, `webhook-timestamp`, `webhook-signature`) and returns the event.
 * This is the check to use: it covers the timestamp, so that an old request cannot be replayed.
 * Throws WebhookVerificationError.
 */
export function verifyWebhook({
  headers,
  body,
  secret,
  toleranceSeconds = 300,
  now = Date.now(),
}: VerifyOptions): WebhookEvent {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const secrets = secretsOf(secret);
  checkRaw(body);
  const given = header(headers, 'webhook-signature')
    .split(' ')
    .flatMap((part) => (part.startsWith('v1,') ? [part.slice(3)] : []));
  checkTime(timestamp, toleranceSeconds, now);
  const expected = secrets.map((one) => {
    const key = Buffer.from(one.replace(/^whsec_/, ''), 'base64');
    return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  });
  requireMatch(given, expected);
  return parsed(body);
}

/**
 * Verifies the header `X-Vigia-Signature` (`sha256=<hex>`, several separated by commas during a rotation) and returns
 * the event. It does not cover the time: keep the event ids that you have processed. Throws WebhookVerificationError.
 */
export function verifySignatureHeader({
  headers,
  body,
  secret,
  serviceName = 'Vigia',
}: Pick<VerifyOptions, 'headers' | 'body' | 'secret'> & {
  /** The middle of the header's name, if the operator of the service has changed it. */
  readonly serviceName?: string;
}): WebhookEvent {
  checkRaw(body);
  const given = header(headers, `x-${serviceName.toLowerCase()}-signature`)
    .split(',')
    .flatMap((part) => (part.trim().startsWith('sha256=') ? [part.trim().slice(7)] : []));
  const expected = secretsOf(secret).map((one) => createHmac('sha256', one).update(body).digest('hex'));
  requireMatch(given, expected);
  return parsed(body);
}

/** Programs without types pass what is undefined, or an environment variable with its quotes. */
function secretsOf(secret: string | readonly (string | undefined)[] | undefined): readonly string[] {
  const secrets = [secret].flat().filter((one) => one !== undefined && one !== '') as readonly string[];
  if (secrets.length === 0) throw new WebhookVerificationError('SECRET_MISSING');
  if (!secrets.every((one) => /^(whsec_)?[A-Za-z0-9+/]+={0,2}$/.test(one))) {
    throw new WebhookVerificationError('SECRET_INVALID');
  }
  return secrets;
}

function checkRaw(body: unknown): void {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new WebhookVerificationError('BODY_PARSED');
  }
}

function header(headers: HeaderSource, name: string): string {
  const value = read(headers, name);
  const text = (typeof value === 'object' && value !== null ? value.join(',') : value) ?? '';
  if (text === '') throw new WebhookVerificationError('HEADER_MISSING');
  return text;
}

function read(headers: HeaderSource, name: string): string | readonly string[] | null | undefined {
  const { get } = headers as Partial<FetchHeaders>;
  if (typeof get === 'function') return get.call(headers, name);
  const entries = Object.entries(headers as HeaderRecord);
  return entries.find(([key]) => key.toLowerCase() === name)?.[1];
}

function checkTime(timestamp: string, toleranceSeconds: number, now: number): void {
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('TIMESTAMP_INVALID');
  const age = now / 1000 - Number(timestamp);
  if (age > toleranceSeconds) throw new WebhookVerificationError('TIMESTAMP_TOO_OLD');
  if (age < -toleranceSeconds) throw new WebhookVerificationError('TIMESTAMP_TOO_NEW');
}

/** Every pair is compared in constant time, so that the time taken says nothing about how close a guess was. */
function requireMatch(given: readonly string[], expected: readonly string[]): void {
  const matches = given.flatMap((one) => expected.map((other) => equal(one, other)));
  if (!matches.includes(true)) throw new WebhookVerificationError('SIGNATURE_MISMATCH');
}

function equal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function parsed(body: Uint8Array | string): WebhookEvent {
  try {
    return JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString('utf8')) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError('BODY_INVALID');
  }
}
