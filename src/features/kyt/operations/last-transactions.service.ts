import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { LastOperation } from '../../customers/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { KytTransactionEntity } from '../store/entities.js';

/** Finds the time of a customer's last transaction, from which the customers module counts the retention. */
@Injectable()
export class LastTransactionsService {
  constructor(private readonly uow: UnitOfWork) {}

  @LastOperation()
  async findLast(organisationId: string, keys: readonly Buffer[]): Promise<Date | null> {
    const row = await this.uow.read(organisationId, (db) =>
      db
        .createQueryBuilder(KytTransactionEntity, 't')
        .select('max(greatest(t.occurred_at, t.received_at))', 'last')
        .where({ organisationId, customerKey: In([...keys]) })
        .getRawOne<{ last: Date | null }>(),
    );
    return row?.last ?? null;
  }
}
