import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { type ActorContext, AuditTrail } from '../../audit/index.js';
import { afterCommit, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { Clock, DomainError, errorAt } from '../../../platform/kernel/index.js';
import { BRAZIL_TIME_ZONE, localDayIn } from '../../../platform/kernel/values/local-day.js';
import { SubjectKeys, Vault } from '../../../platform/privacy/index.js';
import { customerAuditDraft } from '../audit-step.js';
import { subjectIndexesOf } from '../customer-seal.js';
import { CustomerRowRegistry } from '../customer-row-registry.js';
import { mayBeErased, type Retention } from '../domain/retention.js';
import { CustomerCacheService } from '../identification/customer-cache.service.js';
import { CustomerRecordRepository } from '../store/customer-record.repository.js';
import { CustomerEntity } from '../store/entities.js';
import { CustomerRecordsService } from './customer-records.service.js';

const dayOf = localDayIn(BRAZIL_TIME_ZONE);

/** Erases customers for operators, or restricts customers whose records must be kept. */
@Injectable()
export class CustomerErasureService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly vault: Vault,
    private readonly keys: SubjectKeys,
    private readonly customerRowRegistry: CustomerRowRegistry,
    private readonly customerCache: CustomerCacheService,
    private readonly customers: CustomerRecordsService,
    private readonly records: CustomerRecordRepository,
  ) {}

  /**
   * Checks that a person may be erased. While the law or a legal hold requires the records, restricts the person
   * instead and throws RETENTION_REQUIRED with the end of retention.
   */
  async requireErasable(ctx: ActorContext, id: string): Promise<void> {
    const { organisationId } = ctx;
    const { retention } = await this.readRecords(organisationId, id);
    const refused = await this.uow.run(organisationId, async (tx) => {
      const now = new Date(this.clock.now());
      const obstacle = this.obstacleTo(await this.lock(tx, organisationId, id), retention, now);
      if (obstacle === null) return null;
      await restrict(tx, id, now);
      await this.audit.record(
        tx,
        customerAuditDraft(ctx, id, 'customer.restricted', now, { why: obstacle, until: retention.until }),
      );
      return obstacle;
    });
    if (refused !== null) throw retentionError(refused, retention);
  }

  /** Erases a person by destroying the data keys of everything about them, here and in backups. */
  async erase(tx: Tx, ctx: ActorContext, id: string): Promise<void> {
    const { organisationId } = ctx;
    const { merged, retention } = await this.readRecords(organisationId, id);
    const linkedSubjects = await this.customerRowRegistry.listKeySubjects(organisationId, id);
    const lockedCustomer = await this.lock(tx, organisationId, id);
    const now = new Date(this.clock.now());
    const obstacle = this.obstacleTo(lockedCustomer, retention, now);
    if (obstacle !== null) throw retentionError(obstacle, retention);
    const records = [lockedCustomer, ...merged];
    // Files that concern no person are encrypted under the organisation's own key, which no erasure may destroy.
    const spared = this.vault.organisationSubject(organisationId).index;
    const indexes = [
      ...records.map(({ subjectIndex }) => subjectIndex),
      ...subjectIndexesOf(lockedCustomer, merged),
      ...linkedSubjects.map(({ index }) => index),
    ].filter((index) => !index.equals(spared));
    const keys: string[] = [];
    for (const index of distinctOf(indexes)) {
      keys.push(...(await this.keys.requestErasure(tx, { organisationId, index }, id)));
    }
    for (const record of records) {
      await restrict(tx, record.id, now);
      await forget(tx, record, now);
      // The entry lists the destroyed keys, so that the key check notices a key that was destroyed in any other way.
      const content = record.id === id ? { keys } : {};
      await this.audit.record(tx, customerAuditDraft(ctx, record.id, 'customer.erased', now, content));
    }
    await this.customerRowRegistry.forget(
      tx,
      organisationId,
      records.map((record) => record.id),
    );
    afterCommit(tx, () => {
      this.customerCache.forget(id);
    });
  }

  private async readRecords(
    organisationId: string,
    id: string,
  ): Promise<{ readonly merged: readonly CustomerEntity[]; readonly retention: Retention }> {
    const customer = await this.customers.find(organisationId, id);
    const merged = await this.records.mergedInto(organisationId, id);
    return { merged, retention: await this.customers.retentionOf(customer, merged) };
  }

  private async lock(tx: Tx, organisationId: string, id: string): Promise<CustomerEntity> {
    const lockedCustomer = await this.records.lock(tx, organisationId, id);
    if (!lockedCustomer || lockedCustomer.erasedAt) throw new DomainError('CUSTOMER_NOT_FOUND');
    return lockedCustomer;
  }

  private obstacleTo({ legalHoldAt }: CustomerEntity, retention: Retention, at: Date): Obstacle | null {
    if (legalHoldAt) return 'LEGAL_HOLD';
    return mayBeErased(retention, dayOf(at.getTime())) ? null : 'RETENTION';
  }
}

type Obstacle = 'LEGAL_HOLD' | 'RETENTION';

function retentionError(obstacle: Obstacle, { until }: Retention): DomainError {
  const message =
    obstacle === 'LEGAL_HOLD'
      ? 'A legal hold is in place.'
      : until === null
        ? 'The relationship lasts; records are kept for ten years after its end.'
        : `Records are kept until ${until}.`;
  return errorAt('RETENTION_REQUIRED', 'retainUntil', obstacle, message);
}

const restrict = (tx: Tx, id: string, at: Date): Promise<unknown> =>
  tx.update(CustomerEntity, { id, restrictedAt: IsNull() }, { restrictedAt: at });

/** Removes the indexes that find the person. The encrypted data is unreadable without the person's key. */
const forget = (tx: Tx, { id, subjectIndex }: CustomerEntity, at: Date): Promise<unknown> =>
  tx.update(
    CustomerEntity,
    { id },
    {
      ...{ externalIndex: null, documentIndex: null, maskedIndex: null, named: false },
      ...{ subjectIndex: randomBytes(subjectIndex.length), erasedAt: at, updatedAt: at },
    },
  );

const distinctOf = (indexes: readonly Buffer[]): Buffer[] => [
  ...new Map(indexes.map((index) => [index.toString('latin1'), index])).values(),
];
