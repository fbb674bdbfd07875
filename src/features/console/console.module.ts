import { Module } from '@nestjs/common';
import { PageFiles } from '../hosted-page/index.js';
import { ConsoleController } from './api/console.controller.js';
import { ConsoleEntryController } from './api/console-entry.controller.js';

@Module({
  controllers: [ConsoleEntryController, ConsoleController],
  providers: [{ provide: PageFiles, useFactory: () => new PageFiles('web/console/dist/') }],
})
export class ConsoleModule {}
