import { createHmac, randomBytes } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';

/** A new signing secret in the format of Standard Webhooks. */
export const newWebhookSecret = (): string => SECRET_PREFIX + randomBytes(32).toString('base64');

/** A message to sign; `body` holds exactly the bytes that are sent. */
export interface SignedMessage {
  /** The public event id; the same for every retry. */
  readonly id: string;
  readonly timestampSeconds: number;
  readonly body: Buffer;
}

/**
 * The signature headers of both schemes, Standard Webhooks and the service's own. `secrets` holds the current secret
 * and, during a rotation, the earlier secrets: the receiver accepts if it has any of them.
 */
export function signatureHeaders(
  serviceName: string,
  message: SignedMessage,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(message.timestampSeconds);
  const bodySignatures = secrets.map((secret) => `sha256=${hmac(secret, [message.body]).toString('hex')}`);
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    return `v1,${hmac(key, [`${message.id}.${timestamp}.`, message.body]).toString('base64')}`;
  });
  return {
    [`X-${serviceName}-Signature`]: bodySignatures.join(','),
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
  };
}

function hmac(key: string | Buffer, parts: readonly (string | Buffer)[]): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}
