import type { RingKey } from '../../config/index.js';
import { SignedRequests, type OutboundProxy, type RequestSigningKey } from '../../outbound/index.js';
import { requestKeyService, ringKeyOf, WrappingSource, wrappedRing } from './key-source.js';

export interface AwsKmsOptions {
  readonly endpoint: string;
  readonly keyId: string;
  readonly wrapped: string | null;
  readonly key: Omit<RequestSigningKey, 'service'>;
}

/** Decrypts the ring keys by AWS KMS (`Decrypt`). The encryption context binds them to their purpose. */
export class AwsKmsKeys extends WrappingSource {
  private readonly signedRequests: SignedRequests;

  constructor(
    private readonly options: AwsKmsOptions,
    send: OutboundProxy['fetch'],
  ) {
    super();
    this.signedRequests = new SignedRequests({ ...options.key, service: 'kms' }, send);
  }

  override async loadKeys(): Promise<readonly RingKey[]> {
    return Promise.all(
      wrappedRing(this.options.wrapped).map(async ({ id, ciphertext }) => {
        const { Plaintext } = await this.call('Decrypt', {
          CiphertextBlob: ciphertext,
          ...this.keyParameters(id),
        });
        return ringKeyOf(id, Plaintext);
      }),
    );
  }

  override async createWrappedKey(id: string): Promise<string> {
    const { CiphertextBlob } = await this.call('GenerateDataKeyWithoutPlaintext', {
      KeySpec: 'AES_256',
      ...this.keyParameters(id),
    });
    return `${id}:${String(CiphertextBlob)}`;
  }

  private keyParameters(id: string): object {
    return { KeyId: this.options.keyId, EncryptionContext: { purpose: 'vigia-key-ring', id } };
  }

  private call(action: string, body: object): Promise<Readonly<Record<string, unknown>>> {
    return requestKeyService('AWS KMS', (signal) =>
      this.signedRequests.fetch(this.options.endpoint, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-amz-json-1.1',
          'x-amz-target': `TrentService.${action}`,
        },
        body: JSON.stringify(body),
        redirect: 'error',
        signal,
      }),
    );
  }
}
