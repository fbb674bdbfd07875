import { Module } from '@nestjs/common';
import { HostedPageController } from './api/hosted-page.controller.js';
import { PageFiles } from './page-files.js';

@Module({
  controllers: [HostedPageController],
  providers: [{ provide: PageFiles, useFactory: () => new PageFiles('web/dist/') }],
})
export class HostedPageModule {}
