import { Module } from '@nestjs/common';
import { CoafWorkSource } from './coaf-work.source.js';
import { DossiersModule } from './dossiers.module.js';
import { CoafProcessor } from './jobs/coaf.processor.js';

/** The background half of Dossiers: only processes that work on queues have it. */
@Module({
  imports: [DossiersModule],
  providers: [CoafProcessor, CoafWorkSource],
})
export class DossiersJobsModule {}
