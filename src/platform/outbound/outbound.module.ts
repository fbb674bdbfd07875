import { Module } from '@nestjs/common';
import { DnsResolver, HostResolver } from './host-resolver.js';
import { OutboundProxy } from './outbound-proxy.js';

@Module({
  providers: [{ provide: HostResolver, useClass: DnsResolver }, OutboundProxy],
  exports: [HostResolver, OutboundProxy],
})
export class OutboundModule {}
