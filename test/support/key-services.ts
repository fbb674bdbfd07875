import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answered = readonly [status: number, body: object];

const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex');

/** A service on this machine whose key never leaves it; counts what it was asked for. */
abstract class KeyService {
  readonly calls: string[] = [];
  /** Answers with this status instead. */
  failing: number | null = null;
  private readonly key = randomBytes(32);
  private readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      const body = Buffer.concat(chunks);
      const [status, said] = this.failing === null ? this.answer(request, body) : [this.failing, {}];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said));
    });
  });

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async listen(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  protected abstract answer(request: IncomingMessage, body: Buffer): Answered;

  protected seal(plain: Buffer, context: string): Buffer {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.key, iv).setAAD(Buffer.from(context));
    return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  }

  protected open(sealed: Buffer, context: string): Buffer | null {
    const decipher = createDecipheriv('aes-256-gcm', this.key, sealed.subarray(0, 12))
      .setAAD(Buffer.from(context))
      .setAuthTag(sealed.subarray(-16));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
    } catch {
      return null;
    }
  }
}

/** Two calls of AWS KMS, with the SigV4 signature of each computed anew from what came over the wire. */
export class FakeKms extends KeyService {
  constructor(
    private readonly secret: string,
    private readonly keyId: string,
  ) {
    super();
  }

  protected override answer(request: IncomingMessage, body: Buffer): Answered {
    const action = String(request.headers['x-amz-target']).replace('TrentService.', '');
    this.calls.push(action);
    if (!this.isSigned(request, body)) return [400, { __type: 'InvalidSignatureException' }];
    const asked = JSON.parse(body.toString()) as Record<string, unknown>;
    if (asked['KeyId'] !== this.keyId) return [400, { __type: 'NotFoundException' }];
    const context = JSON.stringify(asked['EncryptionContext']);
    if (action === 'GenerateDataKeyWithoutPlaintext') {
      return [200, { CiphertextBlob: this.seal(randomBytes(32), context).toString('base64') }];
    }
    const plain = this.open(Buffer.from(String(asked['CiphertextBlob']), 'base64'), context);
    return plain ? [200, { Plaintext: plain.toString('base64') }] : [400, { __type: 'InvalidCiphertext' }];
  }

  private isSigned(request: IncomingMessage, body: Buffer): boolean {
    const header = (name: string): string => String(request.headers[name] ?? '');
    const [, date = '', region = '', names = '', signature = ''] =
      /Credential=[^/]+\/(\d{8})\/([^/]+)\/kms\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/.exec(
        header('authorization'),
      ) ?? [];
    const headers = names.split(';').map((name) => `${name}:${header(name).trim()}\n`);
    const canonical = ['POST', '/', '', headers.join(''), names, sha256(body)].join('\n');
    const scope = `${date}/${region}/kms/aws4_request`;
    const toSign = ['AWS4-HMAC-SHA256', header('x-amz-date'), scope, sha256(canonical)].join('\n');
    const key = hmac(hmac(hmac(hmac(`AWS4${this.secret}`, date), region), 'kms'), 'aws4_request');
    return hmac(key, toSign).toString('hex') === signature;
  }
}

/** The two calls of Vault's transit engine that are used. */
export class FakeVault extends KeyService {
  constructor(
    private readonly token: string,
    private readonly keyName: string,
  ) {
    super();
  }

  protected override answer(request: IncomingMessage, body: Buffer): Answered {
    const path = request.url ?? '';
    this.calls.push(path);
    if (request.headers['x-vault-token'] !== this.token) return [403, { errors: ['permission denied'] }];
    const asked = JSON.parse(body.toString()) as Record<string, unknown>;
    if (path === `/v1/transit/datakey/wrapped/${this.keyName}`) {
      return [200, { data: { ciphertext: `vault:v1:${this.seal(randomBytes(32), '').toString('base64')}` } }];
    }
    if (path !== `/v1/transit/decrypt/${this.keyName}`) return [404, { errors: [] }];
    const sealed = Buffer.from(String(asked['ciphertext']).replace('vault:v1:', ''), 'base64');
    const plain = this.open(sealed, '');
    return plain ? [200, { data: { plaintext: plain.toString('base64') } }] : [400, { errors: [] }];
  }
}
