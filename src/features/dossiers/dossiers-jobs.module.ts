import { Module } from '@nestjs/common';
import { DossiersModule } from './dossiers.module.js';
import { CoafProcessor } from './jobs/coaf.processor.js';

/** Background jobs; only imported by processes that run queue workers. */
@Module({
  imports: [DossiersModule],
  providers: [CoafProcessor],
})
export class DossiersJobsModule {}
