import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import { DomainError } from '../../../platform/kernel/index.js';

export interface RelyingPartyName {
  readonly id: string;
  readonly name: string;
  readonly origin: string;
}

/** The host of all passkeys: the host of PUBLIC_URL, or localhost in development. */
@Injectable()
export class RelyingParty {
  constructor(private readonly settings: Settings) {}

  /** Throws PASSKEYS_NOT_CONFIGURED without a host name: browsers create no passkeys for an IP address. */
  requireName(): RelyingPartyName {
    const { publicUrl, nodeEnv, port, serviceName } = this.settings;
    const local = nodeEnv === 'production' ? null : `http://localhost:${port}`;
    const base = publicUrl ?? local;
    const url = base === null ? null : new URL(base);
    if (!url || isIP(url.hostname) !== 0 || url.hostname.startsWith('[')) {
      throw new DomainError('PASSKEYS_NOT_CONFIGURED');
    }
    return { id: url.hostname, name: serviceName, origin: url.origin };
  }
}
