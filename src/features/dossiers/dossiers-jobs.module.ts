import { Module } from '@nestjs/common';
import { DossiersModule } from './dossiers.module.js';
import { CoafProcessor } from './jobs/coaf.processor.js';

/** The Bull processor of this feature; only processes that take jobs import it. */
@Module({
  imports: [DossiersModule],
  providers: [CoafProcessor],
})
export class DossiersJobsModule {}
