import { Injectable } from '@nestjs/common';
import {
  TrailContract,
  type AuditSubject,
  type TrailExpectation,
  type TrailGap,
  expectationOf,
  sheetOf,
} from '../audit/index.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { keyIdOf, SealBrokenError, SubjectKeys } from '../../platform/privacy/index.js';
import { countEvents } from '../webhooks/index.js';
import { CustomerEntity } from './store/entities.js';

/** Declares the steps that the audit trail of a customer may have. */
@Injectable()
export class CustomerContract {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly keys: SubjectKeys,
  ) {}

  @TrailContract('customer')
  async expectation({ organisationId, id }: AuditSubject): Promise<TrailExpectation | null> {
    const { found, events } = await this.uow.read(organisationId, async (db) => ({
      found: await db.findOne(CustomerEntity, {
        select: { id: true, trailHash: true, sealed: true, erasedAt: true },
        where: { id, organisationId },
      }),
      events: await countEvents(db, organisationId, [id]),
    }));
    return (
      found && {
        ...expectationOf('customer', found),
        found: await this.findKeyGaps(organisationId, found),
        counted: { rows: events.get(id) ?? 0, by: sheetOf('customer').events ?? [] },
      }
    );
  }

  /** Reports a profile whose data key is missing or does not decrypt, unless the person was erased. */
  private async findKeyGaps(
    organisationId: string,
    { sealed, erasedAt }: Pick<CustomerEntity, 'sealed' | 'erasedAt'>,
  ): Promise<TrailGap[]> {
    if (erasedAt !== null) return [];
    const detail = 'the key of the profile is not there';
    try {
      const [key] = await this.keys.readStoredKeys(organisationId, { ids: [keyIdOf(sealed)] });
      return key?.opens === true && !key.isErased ? [] : [{ kind: 'MISSING', seq: null, detail }];
    } catch (error) {
      if (!(error instanceof SealBrokenError)) throw error;
      return []; // the check of the rows reports bytes without a key
    }
  }
}
