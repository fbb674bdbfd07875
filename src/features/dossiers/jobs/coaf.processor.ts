import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { Tx } from '../../../platform/database/index.js';
import type { DurableProcessor, JobPayload, UnfinishedScope } from '../../../platform/queue/index.js';
import { CashReportsService } from '../coaf/cash-reports.service.js';
import { SuspicionsService } from '../coaf/suspicions.service.js';
import { CommunicationRepository } from '../store/communication.repository.js';

// Maximum number of ids that the reconciler queues per run; the next run follows within seconds.
const MAX_OVERDUE = 1_000;
const MAX_ALL = 100_000;

/** A job contains ids of evaluated transactions and of closed cases. Each service ignores the ids of the other. */
@Processor('dossiers.coaf')
export class CoafProcessor implements DurableProcessor {
  constructor(
    private readonly cashReports: CashReportsService,
    private readonly suspicions: SuspicionsService,
    private readonly communications: CommunicationRepository,
  ) {}

  @Process({ concurrency: 1 })
  async run(job: Job<JobPayload>): Promise<void> {
    await this.cashReports.draftReports(job.data.refs);
    await this.suspicions.draftCommunications(job.data.refs);
  }

  async findUnfinished(tx: Tx, which: UnfinishedScope): Promise<readonly string[]> {
    const limit = which === 'overdue' ? MAX_OVERDUE : MAX_ALL;
    return [
      ...(await this.communications.findLostCashReports(tx, which, limit)),
      ...(await this.communications.findLostDecisions(tx, limit)),
    ];
  }
}
