import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { UnitOfWork } from '../database/index.js';
import { sealContext, Vault } from '../privacy/index.js';
import type { CustomerProfile } from './domain/customer.js';
import { customerFileRow, type CustomerFile } from './store/customer-file.statements.js';
import { CustomerEntity } from './store/entities/customer.entity.js';

export type { CustomerFile };

/** Opens one customer for whoever writes a file about it. */
@Injectable()
export class CustomerFiles {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly vault: Vault,
  ) {}

  /** The customers whose records are kept whatever anybody asks. */
  async onHold(organisationId: string): Promise<string[]> {
    const rows = await this.uow.read(organisationId, (db) =>
      db.find(CustomerEntity, {
        select: { id: true },
        where: { organisationId, legalHoldAt: Not(IsNull()) },
      }),
    );
    return rows.map(({ id }) => id);
  }

  /** The customer of this stored id, or whom it was merged into; null when the organisation has none. */
  async open(organisationId: string, id: string): Promise<CustomerFile | null> {
    const row = await this.uow.read(organisationId, (db) => customerFileRow(db, organisationId, id));
    if (!row) return null;
    const { keys, sealed, ...file } = row;
    const context = sealContext('customers', row.id, organisationId);
    const [opened = null] = await this.vault.openMany([{ sealed, context }]);
    return {
      ...file,
      transactionKeys: keys.filter((key) => key !== null),
      profile: opened && (JSON.parse(opened.toString('utf8')) as CustomerProfile),
    };
  }
}
