import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import {
  AddressSet,
  HostResolver,
  OutboundProxy,
  OutboundTargets,
} from '../../../platform/outbound/index.js';

export { TargetRefusedError } from '../../../platform/outbound/index.js';

@Injectable()
export class WebhookTargets extends OutboundTargets {
  constructor(settings: Settings, resolver: HostResolver, proxy: OutboundProxy) {
    super(
      {
        requireHttps: settings.webhookRequireHttps,
        allowLoopback: settings.nodeEnv !== 'production',
        allowed: new AddressSet(settings.webhookAllowCidrs),
      },
      resolver,
      proxy,
    );
  }
}
