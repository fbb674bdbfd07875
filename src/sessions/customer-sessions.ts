import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CustomerTies } from '../customers/index.js';
import { UnitOfWork } from '../database/index.js';

/** Tells Customers how sessions go to another record of the same person, and under whose keys they are sealed. */
@Injectable()
export class CustomerSessions implements OnModuleInit {
  constructor(
    private readonly ties: CustomerTies,
    private readonly uow: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.ties.register({
      move: async (tx, _acting, { organisationId, from, into }) => {
        await tx.query(
          `UPDATE kyc_sessions SET customer_id = $3 WHERE organisation_id = $1 AND customer_id = $2`,
          [organisationId, from, into],
        );
      },
      subjects: async (organisationId, customerId) => {
        const rows: { index: Buffer }[] = await this.uow.read(organisationId, (db) =>
          db.query(
            `SELECT DISTINCT subject_index AS index FROM kyc_sessions WHERE organisation_id = $1 AND customer_id = $2`,
            [organisationId, customerId],
          ),
        );
        return rows.map(({ index }) => ({ organisationId, index }));
      },
    });
  }
}
