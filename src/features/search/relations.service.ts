import { Injectable } from '@nestjs/common';
import { CustomerRecordsService, type DecryptedCustomer } from '../customers/index.js';
import {
  RelationMap,
  sharedKinds,
  identifierKey,
  type RelationGraph,
  type SharedKind,
  type SharedIdentifier,
} from './domain/relations.js';
import { RelationQueries, type IdentifierTrace } from './store/relation.queries.js';

/** How many of the newest transactions of a person, or of a thing, are read; by step. */
const NEWEST = [500, 100] as const;
/** Maximum number of things per person, by step. */
const THINGS = [60, 20] as const;
/** Maximum number of people whose relations are followed, by step. */
const PEOPLE = [1, 10] as const;

const DISTANCES = [0, 1] as const;

export interface Relations {
  readonly graph: RelationGraph;
  readonly people: ReadonlyMap<string, DecryptedCustomer>;
  readonly openCases: ReadonlyMap<string, number>;
}

/** Finds the relations of a customer, up to two steps away: shared things, and payments between customers. */
@Injectable()
export class RelationsService {
  constructor(
    private readonly customers: CustomerRecordsService,
    private readonly relations: RelationQueries,
  ) {}

  async findRelations(organisationId: string, customerId: string): Promise<Relations> {
    const map = new RelationMap(customerId);
    for (const distance of DISTANCES) {
      const people = map.peopleAt(distance).slice(0, PEOPLE[distance]);
      if (people.length > 0) await this.addRelations(organisationId, map, people, distance);
    }
    const [opened, openCases] = await Promise.all([
      this.customers.getMany(organisationId, map.persons),
      this.relations.countOpenCases(organisationId, map.persons),
    ]);
    return {
      graph: map.toGraph(),
      people: new Map(opened.map((one) => [one.customer.id, one])),
      openCases,
    };
  }

  private async addRelations(
    organisationId: string,
    map: RelationMap,
    people: readonly string[],
    distance: 0 | 1,
  ): Promise<void> {
    const newest = NEWEST[distance];
    const usedIdentifiers = await this.relations.findIdentifiers(organisationId, people, newest);
    const { keys } = usedIdentifiers;
    const traces = this.newestOf(usedIdentifiers.traces, THINGS[distance]);
    const things = new Map<string, SharedIdentifier>();
    for (const { kind, key } of traces) {
      if (isShared(kind)) things.set(identifierKey({ kind, key }), { kind, key });
    }
    // A payment to one of these people names their document as the counterparty.
    const counterpartyKeys = keys.map(({ key }) => ({ kind: 'COUNTERPARTY' as const, key }));
    const paid = [...things.values()].filter(({ kind }) => kind === 'COUNTERPARTY').map(({ key }) => key);
    const [sharers, customers] = await Promise.all([
      this.relations.findSharers(organisationId, [...things.values(), ...counterpartyKeys], newest),
      this.relations.findCustomersByDocument(organisationId, paid),
    ]);
    const owners = new Map(keys.map(({ person, key }) => [key.toString('latin1'), person]));
    map.add(distance, traces, sharers, customers);
    for (const person of people) {
      const payers = sharers.filter(
        ({ kind, key }) => kind === 'COUNTERPARTY' && owners.get(key.toString('latin1')) === person,
      );
      map.addPayers(person, payers, distance);
    }
  }

  /** Returns the last used things of each person, `limit` each. */
  private newestOf(traces: readonly IdentifierTrace[], limit: number): IdentifierTrace[] {
    const counts = new Map<string, number>();
    return [...traces]
      .sort((a, b) => b.lastAt.getTime() - a.lastAt.getTime())
      .filter(({ person }) => {
        const count = (counts.get(person) ?? 0) + 1;
        counts.set(person, count);
        return count <= limit;
      });
  }
}

const isShared = (kind: string): kind is SharedKind => (sharedKinds as readonly string[]).includes(kind);
