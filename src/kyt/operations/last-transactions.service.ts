import { Injectable } from '@nestjs/common';
import { LastOperation } from '../../customers/index.js';
import { UnitOfWork } from '../../database/index.js';
import { lastOperation } from '../store/work/work-metrics.queries.js';

/** Tells Customers when the last operation of somebody took place, from which its retention is counted. */
@Injectable()
export class LastTransactions {
  constructor(private readonly uow: UnitOfWork) {}

  @LastOperation()
  of(organisationId: string, keys: readonly Buffer[]): Promise<Date | null> {
    return this.uow.read(organisationId, (db) => lastOperation(db, organisationId, keys));
  }
}
