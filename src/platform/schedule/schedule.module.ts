import { Module } from '@nestjs/common';
import { RegistryModule } from '../registry/index.js';
import { PeriodicWorker } from './periodic-worker.js';

@Module({ imports: [RegistryModule], providers: [PeriodicWorker] })
export class ScheduleModule {}
