import { Injectable } from '@nestjs/common';
import { Periodic } from '../../../platform/schedule/index.js';
import { ReverificationService } from './reverification.service.js';

const HOUR_MS = 3_600_000;

/** Requests the re-verifications that are due, every hour. */
@Injectable()
export class ReverificationSweepService {
  constructor(private readonly reverification: ReverificationService) {}

  @Periodic({
    everyMs: HOUR_MS,
    otherwise: 'customers are not asked to verify themselves again',
    runsIn: 'workers',
  })
  async sweep(): Promise<number> {
    return this.reverification.openDueSessions();
  }
}
