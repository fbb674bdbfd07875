import { Module } from '@nestjs/common';
import { HostedPageController } from './api/hosted-page.controller.js';
import { PageFiles } from './page-files.service.js';

@Module({ controllers: [HostedPageController], providers: [PageFiles] })
export class HostedPageModule {}
