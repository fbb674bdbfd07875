import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/index.js';
import { invalid, type DomainError } from '../../platform/kernel/index.js';
import {
  AddressSet,
  HostResolver,
  OutboundProxy,
  OutboundTargets,
  TargetRefusedError,
  targetProblems,
} from '../../platform/outbound/index.js';
import { SANDBOX_URL } from './domain/provider.js';

/** Allowed addresses of providers: public over HTTPS in production, and blocks that the installation allows. */
@Injectable()
export class ProviderTargets extends OutboundTargets {
  constructor(
    private readonly settings: Settings,
    resolver: HostResolver,
    proxy: OutboundProxy,
  ) {
    super(
      {
        requireHttps: settings.nodeEnv === 'production',
        allowLoopback: settings.nodeEnv !== 'production',
        allowed: new AddressSet(settings.checkProviderAllowCidrs),
      },
      resolver,
      proxy,
    );
  }

  /** Throws VALIDATION_FAILED for a refused address. The test double is refused outside of the sandbox. */
  async require(url: string): Promise<void> {
    if (url === SANDBOX_URL) {
      if (this.settings.environment === 'sandbox') return;
      throw refused('SANDBOX_ONLY', 'The double answers in the environment sandbox only.');
    }
    try {
      await this.checkReachable(url);
    } catch (error) {
      if (error instanceof TargetRefusedError) throw refused(error.code, targetProblems[error.code]);
      throw error;
    }
  }
}

const refused = (code: string, message: string): DomainError => invalid('url', code, message);
