import type { RingKey } from '../../config/index.js';
import type { OutboundProxy } from '../../outbound/index.js';
import {
  requestKeyService,
  KeySourceFailedError,
  ringKeyOf,
  WrappingSource,
  wrappedRing,
} from './key-source.js';

export interface VaultOptions {
  readonly address: string;
  readonly mount: string;
  readonly keyName: string;
  readonly wrapped: string | null;
  readonly token: string;
}

/** Decrypts the ring keys by the transit engine of HashiCorp Vault or OpenBao, whose key never leaves it. */
export class VaultKeys extends WrappingSource {
  constructor(
    private readonly options: VaultOptions,
    private readonly send: OutboundProxy['fetch'],
  ) {
    super();
  }

  override async loadKeys(): Promise<readonly RingKey[]> {
    return Promise.all(
      wrappedRing(this.options.wrapped).map(async ({ id, ciphertext }) => {
        const { plaintext } = await this.call('decrypt', { ciphertext });
        return ringKeyOf(id, plaintext);
      }),
    );
  }

  override async createWrappedKey(id: string): Promise<string> {
    const { ciphertext } = await this.call('datakey/wrapped', { bits: 256 });
    return `${id}:${String(ciphertext)}`;
  }

  private async call(action: string, body: object): Promise<Readonly<Record<string, unknown>>> {
    const { address, mount, keyName, token } = this.options;
    const url = `${address.replace(/\/+$/, '')}/v1/${mount}/${action}/${encodeURIComponent(keyName)}`;
    const { data } = await requestKeyService('Vault', (signal) =>
      this.send(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-vault-token': token },
        body: JSON.stringify(body),
        redirect: 'error',
        signal,
      }),
    );
    if (typeof data !== 'object' || data === null) throw new KeySourceFailedError('Vault gave no data');
    return data as Readonly<Record<string, unknown>>;
  }
}
