import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, signatureHeaders } from './signature.js';

const body = Buffer.from('{"id":"evt_1","type":"session.completed","data":{"name":"São João"}}');
const nowSeconds = (): number => Math.floor(Date.now() / 1000);
const message = { id: 'evt_0198f0', timestampSeconds: nowSeconds(), body };

describe('signatureHeaders', () => {
  it('carries the hex HMAC of the raw body under the secret as shown', () => {
    const headers = signatureHeaders('Vigia', message, ['whsec_c2VjcmV0']);
    const expected = createHmac('sha256', 'whsec_c2VjcmV0').update(body).digest('hex');
    expect(headers['X-Vigia-Signature']).toBe(`sha256=${expected}`);
  });

  it('is accepted by a ready-made Standard Webhooks library', () => {
    const secret = newWebhookSecret();
    const headers = signatureHeaders('Vigia', message, [secret]);
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body.toString()));
  });

  it('is accepted with the old and with the new secret during a rotation, the current one first', () => {
    const [current, previous] = [newWebhookSecret(), newWebhookSecret()];
    const headers = signatureHeaders('Vigia', message, [current, previous]);
    for (const secret of [current, previous]) {
      expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
      const own = createHmac('sha256', secret).update(body).digest('hex');
      expect(headers['X-Vigia-Signature']?.split(',')).toContain(`sha256=${own}`);
    }
    const first = createHmac('sha256', current).update(body).digest('hex');
    expect(headers['X-Vigia-Signature']).toMatch(new RegExp(`^sha256=${first},`));
  });

  it('is refused when a byte of the body, the id or the timestamp changes', () => {
    const secret = newWebhookSecret();
    const headers = signatureHeaders('Vigia', message, [secret]);
    const verify = (bytes: Buffer, changed: Record<string, string> = {}): unknown =>
      new Webhook(secret).verify(bytes, { ...headers, ...changed });
    expect(() => verify(Buffer.concat([body, Buffer.from(' ')]))).toThrow();
    expect(() => verify(body, { 'webhook-id': 'evt_other' })).toThrow();
    expect(() => verify(body, { 'webhook-timestamp': String(message.timestampSeconds + 1) })).toThrow();
  });

  it('is refused as a replay once its timestamp is old', () => {
    const secret = newWebhookSecret();
    const old = { ...message, timestampSeconds: nowSeconds() - 3_600 };
    expect(() => new Webhook(secret).verify(body, signatureHeaders('Vigia', old, [secret]))).toThrow();
  });

  it('takes the middle of the header name from the service name', () => {
    expect(signatureHeaders('Acme-Risk', message, ['whsec_AA=='])).toHaveProperty('X-Acme-Risk-Signature');
  });
});

describe('newWebhookSecret', () => {
  it('holds 32 random bytes in base64', () => {
    const secret = newWebhookSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newWebhookSecret()).not.toBe(secret);
  });
});
