import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CustomerTies } from '../customers/index.js';

/** Tells Customers how hits go to another record of the same person. What was decided about them stays. */
@Injectable()
export class CustomerHits implements OnModuleInit {
  constructor(private readonly ties: CustomerTies) {}

  onModuleInit(): void {
    this.ties.register({
      move: async (tx, _acting, { organisationId, from, into }) => {
        await tx.query(
          `UPDATE screening_hits SET customer_id = $3 WHERE organisation_id = $1 AND customer_id = $2`,
          [organisationId, from, into],
        );
      },
    });
  }
}
