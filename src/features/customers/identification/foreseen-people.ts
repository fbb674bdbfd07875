import { newUuid } from '../../../platform/kernel/index.js';
import { personTypeOf, type KeyedObservation } from '../domain/observation.js';
import type { FoundRow } from '../store/customer.repository.js';
import { findRow, findSeparateKey, recordKeyOf } from './matching.js';

/** Whom an observation will be about, if it is identified. */
export interface ForeseenPerson {
  readonly customerId: string;
  readonly subjectIndex: Buffer;
  /** True if the observation gives the person a record. */
  readonly isNew: boolean;
  /** The field of the key that the customer of the other key does not have; see `findSeparateKey`. */
  readonly separateKey: ReturnType<typeof findSeparateKey>;
}

/** Knows the people of a file: those with a record, and those whom its earlier rows would give one. Writes nothing. */
export class ForeseenPeople {
  private readonly byKey = new Map<string, FoundRow[]>();

  add(rows: readonly FoundRow[]): void {
    for (const row of rows) {
      for (const index of [row.externalIndex, row.documentIndex]) {
        const name = recordKeyOf(row.organisationId, index);
        if (index) this.byKey.set(name, [...this.rowsOf(name).filter(({ id }) => id !== row.id), row]);
      }
    }
  }

  foresee(key: KeyedObservation): ForeseenPerson {
    const { organisationId, external, document, subject } = key;
    const rows = [document, external].flatMap((index) => this.rowsOf(recordKeyOf(organisationId, index)));
    const separateKey = key.keepsApart === true ? findSeparateKey(rows, key) : null;
    const existingRow = findRow(rows, key);
    if (existingRow ?? separateKey) {
      const { id: customerId, subjectIndex } = existingRow ?? { id: '', subjectIndex: subject.index };
      return { customerId, subjectIndex, isNew: false, separateKey };
    }
    const isTaken = rows.some(({ externalIndex }) => external !== null && externalIndex?.equals(external));
    const newRow: FoundRow = {
      ...{ id: newUuid(), organisationId, personType: personTypeOf(key), subjectIndex: subject.index },
      // An external id stays with its holder if the holder has another document.
      ...{ externalIndex: isTaken ? null : external, documentIndex: document },
      ...{ sealed: Buffer.alloc(0), named: false, merged: 0 },
    };
    this.add([newRow]);
    return { customerId: newRow.id, subjectIndex: newRow.subjectIndex, isNew: true, separateKey };
  }

  private rowsOf(name: string): readonly FoundRow[] {
    return this.byKey.get(name) ?? [];
  }
}
