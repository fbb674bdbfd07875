import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import { AddressSet, HostResolver, OutboundTargets } from '../../outbound/index.js';

export { TargetRefused } from '../../outbound/index.js';

/** Says where webhooks may go. */
@Injectable()
export class WebhookTargets extends OutboundTargets {
  constructor(settings: Settings, resolver: HostResolver) {
    super(
      {
        requireHttps: settings.webhookRequireHttps,
        allowLoopback: settings.nodeEnv !== 'production',
        allowed: new AddressSet(settings.webhookAllowCidrs),
      },
      resolver,
    );
  }
}
