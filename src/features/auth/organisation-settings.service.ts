import { Injectable } from '@nestjs/common';
import {
  AuditTrail,
  LogCheck,
  OPERATIONS,
  type AuditAction,
  type AuditContent,
  type LogCheckFault,
} from '../audit/index.js';
import { UnitOfWork, type Tx } from '../../platform/database/index.js';
import { Clock } from '../../platform/kernel/index.js';
import { OrganisationQuotaEntity, type QuotaName } from '../../platform/quotas/index.js';
import { OrganisationEntity } from './store/entities.js';

const SINGLE_HANDED = 'single-handed';

/** Changes settings of an organisation that only the command line may change: no API route leads here. */
@Injectable()
export class OrganisationSettingsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Sets a quota; null restores the default. Every process applies it within seconds. */
  async setQuota(organisationId: string, name: QuotaName, value: number | null): Promise<void> {
    await this.uow.run([organisationId, OPERATIONS], async (tx) => {
      if (value === null) await tx.delete(OrganisationQuotaEntity, { organisationId, name });
      else {
        const row = { organisationId, name, value: String(value), setAt: () => 'now()' };
        await tx.upsert(OrganisationQuotaEntity, row, ['name', 'organisationId']);
      }
      await this.record(tx, 'ops.quota.set', 'quotas', { organisation: organisationId, name, value });
    });
  }

  /** Declares whether one person alone may close a case with an approval. */
  async setSingleControl(organisationId: string, declared: boolean): Promise<void> {
    await this.uow.run([organisationId, OPERATIONS], async (tx) => {
      const singleHandedAt = declared ? new Date(this.clock.now()) : null;
      await tx.update(OrganisationEntity, { id: organisationId }, { singleHandedAt });
      const content = { organisation: organisationId, declared };
      await this.record(tx, 'ops.single_handed.set', SINGLE_HANDED, content);
    });
  }

  /** Finds an organisation that is declared single-handed in the database and not in the log of operations, or reversed. */
  @LogCheck('single-handed')
  async checkSingleControl(organisationId: string): Promise<readonly LogCheckFault[]> {
    const [row, entries] = await Promise.all([
      this.uow.read(organisationId, (db) => db.findOneBy(OrganisationEntity, { id: organisationId })),
      this.audit.readEntries({ organisationId: OPERATIONS, type: 'operations', id: SINGLE_HANDED }),
    ]);
    const entry = entries.findLast(({ content }) => content['organisation'] === organisationId);
    if (!row || (row.singleHandedAt !== null) === (entry?.content['declared'] === true)) return [];
    const detail =
      row.singleHandedAt === null
        ? 'the organisation was declared single-handed, and the database says that it is not'
        : 'the database says that one person may decide alone, and nobody declared it';
    return [{ place: SINGLE_HANDED, kind: 'STATE_MISMATCH', detail }];
  }

  private async record(tx: Tx, action: AuditAction, id: string, content: AuditContent): Promise<void> {
    await this.audit.record(tx, {
      subject: { organisationId: OPERATIONS, type: 'operations', id },
      action,
      actor: { type: 'system', id: 'cli' },
      requestId: null,
      correlationId: null,
      occurredAt: new Date(this.clock.now()),
      content,
    });
  }
}
