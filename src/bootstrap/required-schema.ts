import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../platform/database/index.js';
import { migrationNames } from '../platform/database/migrations/index.js';
import { bindingsName } from '../platform/database/regulated/install-bindings.js';
import { Readiness } from '../platform/http/index.js';
import { sheets } from '../sheets.js';

/**
 * Keeps a process from being ready before the database has the migrations of its release, and its triggers and
 * functions, which need no migration.
 */
@Injectable()
export class RequiredSchema {
  constructor(uow: UnitOfWork, readiness: Readiness) {
    readiness.requireSchema([...migrationNames, bindingsName(uow, sheets)]);
  }
}
