import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
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
  constructor(@InjectDataSource() source: DataSource, readiness: Readiness) {
    readiness.requireSchema([...migrationNames, bindingsName(source, sheets)]);
  }
}
