import { Injectable } from '@nestjs/common';
import { TrailContract, type AuditAction, type AuditSubject, type TrailExpectation } from '../audit/index.js';
import { UnitOfWork } from '../database/index.js';
import { CustomerEntity } from './store/entities/customer.entity.js';

const changes: readonly AuditAction[] = [
  'customer.enriched',
  'customer.profile_changed',
  'customer.risk_changed',
  'customer.revealed',
  'customer.relationship_changed',
  'customer.legal_hold_placed',
  'customer.legal_hold_lifted',
  'customer.restricted',
  'customer.absorbed',
];

/** Tells Audit what the trail of a customer must look like. */
@Injectable()
export class CustomerTrail {
  constructor(private readonly uow: UnitOfWork) {}

  @TrailContract('customer')
  async expectation({ organisationId, id }: AuditSubject): Promise<TrailExpectation | null> {
    const found = await this.uow.read(organisationId, (db) =>
      db.findOne(CustomerEntity, { select: { id: true, trailHash: true }, where: { id, organisationId } }),
    );
    return (
      found && {
        grammar: {
          first: ['customer.identified'],
          // After an erasure nothing can happen to the record any more, and to a merged one nothing but that.
          follows: {
            ...Object.fromEntries(
              ['customer.identified', ...changes].map((action) => [
                action,
                [...changes, 'customer.merged', 'customer.erased'],
              ]),
            ),
            'customer.merged': ['customer.erased'],
          },
          last: ['customer.identified', ...changes, 'customer.merged', 'customer.erased'],
        },
        anchors: [{ action: 'customer.identified', hash: found.trailHash }],
      }
    );
  }
}
