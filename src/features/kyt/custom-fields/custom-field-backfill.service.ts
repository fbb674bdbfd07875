import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AuditTrail, auditDraftOf, systemActor } from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { LongJobRunner } from '../../../platform/jobs/index.js';
import { Clock } from '../../../platform/kernel/index.js';
import { BlindIndex } from '../../../platform/privacy/index.js';
import { currentCustomFieldSchema, type CustomFieldDefinition } from '../../rules/index.js';
import { mapStoredBody } from '../domain/stored/stored-body.js';
import { customFieldValuesToStore } from '../ingest/custom-field-validation.service.js';
import type { CustomFieldValue } from '../domain/submission/prepared-transaction.js';
import { BodyEncryption } from '../ingest/body-encryption.js';
import {
  CustomFieldBackfillRepository,
  type BackfillProgress,
  type BackfillRow,
  type ClaimedBackfill,
} from '../store/work/custom-field-backfill.repository.js';

// Transactions per commit: a few megabytes of bodies.
const CHUNK = 1_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
/** Maximum number of attempts in a row without progress. */
const MAX_ATTEMPTS = 5;
const LOOK_MS = 1_000;

interface BackfilledValues {
  readonly kept: readonly (CustomFieldValue & { readonly ref: string })[];
  readonly filled: number;
  readonly unreadable: number;
}

/**
 * Stores the values of custom fields from the bodies of earlier transactions, for windows. Each chunk commits with its
 * progress, so that a crash loses only that chunk.
 */
@Injectable()
export class CustomFieldBackfillService extends LongJobRunner<ClaimedBackfill> {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly backfills: CustomFieldBackfillRepository,
    private readonly bodyEncryption: BodyEncryption,
    private readonly index: BlindIndex,
  ) {
    super(backfills, { title: 'back-fill', maxAttempts: MAX_ATTEMPTS });
  }

  protected async work(claimed: ClaimedBackfill): Promise<void> {
    if (!(await this.waitUntilBegin(claimed))) return;
    if (await this.fill(claimed)) await this.end(claimed, 'FINISHED', null);
    else if (this.stopping) await this.release(claimed);
  }

  protected override fail(claimed: ClaimedBackfill, code: string): Promise<void> {
    return this.end(claimed, 'FAILED', code);
  }

  /** Waits until all submissions that were validated before the fields existed are stored; false if released. */
  private async waitUntilBegin(claimed: ClaimedBackfill): Promise<boolean> {
    for (;;) {
      const remaining = claimed.beginsAt.getTime() - this.clock.now();
      if (remaining <= 0) return true;
      if (this.stopping) {
        await this.release(claimed);
        return false;
      }
      await sleep(Math.min(remaining, LOOK_MS));
    }
  }

  /** Returns true if the back-fill is finished; false if this process stops or has lost the lease. */
  private async fill(claimed: ClaimedBackfill): Promise<boolean> {
    const { organisationId } = claimed;
    const fields = await this.uow.read(organisationId, async (db) => {
      const schema = await currentCustomFieldSchema(db, organisationId);
      return (schema?.fields ?? []).filter(({ number }) => claimed.fields.includes(number));
    });
    let progress: BackfillProgress = claimed;
    if (progress.until === null) {
      const { total, until } = await this.backfills.readExtent(claimed);
      if (until === null) return true;
      progress = { ...progress, total, until };
    }
    while (!this.stopping) {
      const { after, until } = progress;
      const rows = await this.backfills.findNext(claimed, after ?? BEFORE_ALL, until ?? BEFORE_ALL, CHUNK);
      const last = rows.at(-1);
      if (!last) return true;
      const { kept, filled, unreadable } = await this.readValues(organisationId, fields, rows);
      progress = {
        ...progress,
        done: progress.done + rows.length,
        filled: progress.filled + filled,
        unreadable: progress.unreadable + unreadable,
        after: last.id,
      };
      if (!(await this.backfills.storeValues(claimed, kept, progress))) return false;
    }
    return false;
  }

  /** Reads the values from the bodies of transactions. An erased or unreadable body has none. */
  private async readValues(
    organisationId: string,
    fields: readonly CustomFieldDefinition[],
    rows: readonly BackfillRow[],
  ): Promise<BackfilledValues> {
    const decryptedBodies = await this.bodyEncryption.openMany(
      rows.map(({ id, sealedBody }) => ({ transactionRef: id, organisationId, bytes: sealedBody })),
    );
    const valuesToStore: (CustomFieldValue & { readonly ref: string })[] = [];
    let filled = 0;
    let unreadable = 0;
    rows.forEach((row, i) => {
      const body = decryptedBodies[i];
      if (body?.kind !== 'open') {
        unreadable += 1;
        return;
      }
      const ownValues = customFieldValuesToStore(
        this.index,
        organisationId,
        fields,
        mapStoredBody(body, row),
      );
      if (ownValues.length > 0) filled += 1;
      valuesToStore.push(...ownValues.map((one) => ({ ref: row.id, ...one })));
    });
    return { kept: valuesToStore, filled, unreadable };
  }

  private async end(
    claimed: ClaimedBackfill,
    status: 'FINISHED' | 'FAILED',
    failureCode: string | null,
  ): Promise<void> {
    const { organisationId, id } = claimed;
    const now = new Date(this.clock.now());
    const ctx = systemActor(organisationId, 'kyt.custom-field-backfill');
    await this.uow.run(organisationId, async (tx) => {
      const schema = await currentCustomFieldSchema(tx, organisationId);
      if (!(await this.backfills.finish(tx, claimed, status, failureCode)) || !schema) return;
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'custom_field_schema', schema.id, 'custom_field_schema.filled', now, {
          backfill: id,
          fields: claimed.fields.map(String),
          status,
        }),
      );
    });
  }
}
