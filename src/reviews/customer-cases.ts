import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CustomerTies } from '../customers/index.js';

/** Tells Customers how cases go to another record of the same person. */
@Injectable()
export class CustomerCases implements OnModuleInit {
  constructor(private readonly ties: CustomerTies) {}

  onModuleInit(): void {
    this.ties.register({
      move: async (tx, _acting, { organisationId, from, into }) => {
        await tx.query(
          `UPDATE reviews SET customer_id = $3, moved_from = $2, updated_at = now()
           WHERE organisation_id = $1 AND customer_id = $2`,
          [organisationId, from, into],
        );
      },
    });
  }
}
