import { Injectable, type OnModuleInit } from '@nestjs/common';
import { TrailContracts } from '../audit/index.js';
import { CustomerRepository } from './store/customer.repository.js';

/** Tells Audit what the trail of a customer must look like. */
@Injectable()
export class CustomerTrail implements OnModuleInit {
  constructor(
    private readonly contracts: TrailContracts,
    private readonly customers: CustomerRepository,
  ) {}

  onModuleInit(): void {
    this.contracts.register('customer', async ({ organisationId, id }) => {
      const hash = await this.customers.trailHash(organisationId, id);
      return (
        hash && {
          grammar: {
            first: ['customer.identified'],
            follows: {
              'customer.identified': ['customer.enriched'],
              'customer.enriched': ['customer.enriched'],
            },
            last: ['customer.identified', 'customer.enriched'],
          },
          anchors: [{ action: 'customer.identified', hash }],
        }
      );
    });
  }
}
