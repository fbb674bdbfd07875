import { Injectable } from '@nestjs/common';
import { getMetadataArgsStorage } from 'typeorm';
import { UnitOfWork } from '../../../platform/database/index.js';
import { regulatedEntities } from '../../../platform/database/regulated/regulated.js';
import type { Subject } from '../domain/entry.js';
import { stateTrailId, subjectOfState } from '../domain/state.js';
import { findUnboundRows } from '../store/state.statements.js';

// Rows per query; a query takes a few milliseconds.
const PAGE = 500;
const BEGINNING = '00000000-0000-0000-0000-000000000000';

/** Finds rows of regulated tables that no entry records: somebody inserted them outside the service. */
@Injectable()
export class UnrecordedRows {
  private readonly tables = [...regulatedEntities()].map(([entity, { of }]) => ({
    of,
    name: getMetadataArgsStorage().tables.find(({ target }) => target === entity)?.name ?? '',
  }));
  /** The last id that was read, by organisation and table. */
  private readonly places = new Map<string, string>();

  constructor(private readonly uow: UnitOfWork) {}

  /** Returns the subjects of unrecorded rows on the next page of each table; the last page is followed by the first. */
  async findOnNextPage(organisationId: string): Promise<Subject[]> {
    const subjects: Subject[] = [];
    for (const { name, of } of this.tables) {
      const place = `${organisationId} ${name}`;
      const after = this.places.get(place) ?? BEGINNING;
      const { reached, missing } = await this.uow.read(organisationId, (db) =>
        findUnboundRows(db, organisationId, name, after, PAGE),
      );
      this.places.set(place, reached ?? BEGINNING);
      subjects.push(
        ...missing.map((id) => subjectOfState({ type: 'state', id: stateTrailId({ type: of, id }) })),
      );
    }
    return subjects;
  }
}
