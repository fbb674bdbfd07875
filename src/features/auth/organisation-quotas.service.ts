import { Injectable } from '@nestjs/common';
import { AuditTrail, OPERATIONS } from '../audit/index.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { Clock } from '../../platform/kernel/index.js';
import { OrganisationQuotaEntity, type QuotaName } from '../../platform/quotas/index.js';

/** Sets the quotas of organisations, from the command line only; there is no route for it. */
@Injectable()
export class OrganisationQuotasService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Sets a quota; null restores the default. Every process applies it within seconds. */
  async set(organisationId: string, name: QuotaName, value: number | null): Promise<void> {
    await this.uow.run([organisationId, OPERATIONS], async (tx) => {
      if (value === null) await tx.delete(OrganisationQuotaEntity, { organisationId, name });
      else {
        const row = { organisationId, name, value: String(value), setAt: () => 'now()' };
        await tx.upsert(OrganisationQuotaEntity, row, ['name', 'organisationId']);
      }
      await this.audit.record(tx, {
        subject: { organisationId: OPERATIONS, type: 'operations', id: 'quotas' },
        action: 'ops.quota.set',
        actor: { type: 'system', id: 'cli' },
        requestId: null,
        correlationId: null,
        occurredAt: new Date(this.clock.now()),
        content: { organisation: organisationId, name, value },
      });
    });
  }
}
