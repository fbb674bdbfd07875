import { Module } from '@nestjs/common';
import { DnsResolver, HostResolver } from './host-resolver.js';

@Module({
  providers: [{ provide: HostResolver, useClass: DnsResolver }],
  exports: [HostResolver],
})
export class OutboundModule {}
