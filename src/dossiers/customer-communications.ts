import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CustomerTies } from '../customers/index.js';

/** Tells Customers how communications go to another record of the same person; what was filed is not changed. */
@Injectable()
export class CustomerCommunications implements OnModuleInit {
  constructor(private readonly ties: CustomerTies) {}

  onModuleInit(): void {
    this.ties.register({
      move: async (tx, _acting, { organisationId, from, into }) => {
        await tx.query(
          `UPDATE coaf_communications SET customer_id = $3 WHERE organisation_id = $1 AND customer_id = $2`,
          [organisationId, from, into],
        );
      },
    });
  }
}
