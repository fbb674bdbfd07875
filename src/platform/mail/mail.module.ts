import { Module } from '@nestjs/common';
import { OutboundModule } from '../outbound/index.js';
import { Mailer } from './mailer.service.js';

@Module({ imports: [OutboundModule], providers: [Mailer], exports: [Mailer] })
export class MailModule {}
