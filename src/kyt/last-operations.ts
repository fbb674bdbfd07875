import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LastOperations } from '../customers/index.js';
import { UnitOfWork } from '../database/index.js';

/** Tells Customers when the last operation of somebody took place, from which its retention is counted. */
@Injectable()
export class LastTransactions implements OnModuleInit {
  constructor(
    private readonly operations: LastOperations,
    private readonly uow: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.operations.register(async (organisationId, keys) => {
      const [row]: { last: Date | null }[] = await this.uow.read(organisationId, (db) =>
        db.query(
          `SELECT max(occurred_at) AS last FROM kyt_transactions
           WHERE organisation_id = $1 AND customer_key = ANY ($2::bytea[])`,
          [organisationId, [...keys]],
        ),
      );
      return row?.last ?? null;
    });
  }
}
