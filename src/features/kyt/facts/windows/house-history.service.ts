import { Inject, Injectable } from '@nestjs/common';
import { BlindIndex } from '../../../../platform/privacy/index.js';
import {
  houseValueIn,
  isHouseField,
  RulesetRegistryService,
  type FactSheet,
  type FactValue,
  type PublishedHouseFields,
} from '../../../rules/index.js';
import { windowNeedsOf } from '../../domain/aggregates/window-needs.js';
import type { DecryptedTransaction } from '../../domain/claimed.js';
import { houseKeyText } from '../../domain/house-key.js';

/** The values of house fields in one transaction that windows need. */
export interface HouseWindowValues {
  /** Keyed by number of the field. */
  readonly houseKeys: ReadonlyMap<number, Buffer>;
  readonly houseValues: ReadonlyMap<number, FactValue>;
  readonly unfilled: ReadonlySet<number>;
}

const NO_VALUES: HouseWindowValues = { houseKeys: new Map(), houseValues: new Map(), unfilled: new Set() };

/**
 * Reads the house fields that windows aggregate or are keyed by. Without a registry, as in a simulation, every field
 * counts as back-filled.
 */
@Injectable()
export class HouseHistoryService {
  constructor(
    @Inject(BlindIndex) private readonly index: Pick<BlindIndex, 'computeIndex'>,
    @Inject(RulesetRegistryService)
    private readonly registry: Pick<RulesetRegistryService, 'readLiveRulesets'> | null,
  ) {}

  /** Returns the values of each transaction, in order, for the house fields that the schema of its sheet declares. */
  async read(
    batch: readonly DecryptedTransaction[],
    sheets: readonly FactSheet[],
  ): Promise<readonly HouseWindowValues[]> {
    if (sheets.every(({ schema }) => schema.declared.length === 0)) return batch.map(() => NO_VALUES);
    const live = await this.registry?.readLiveRulesets(batch.map(({ organisationId }) => organisationId));
    return batch.map((transaction, i) => {
      const schema = sheets[i]?.schema;
      if (!schema || schema.declared.length === 0) return NO_VALUES;
      return this.readTransaction(transaction, schema, live?.get(transaction.organisationId)?.house ?? null);
    });
  }

  private readTransaction(
    { organisationId, submission: { metadata, type } }: DecryptedTransaction,
    schema: FactSheet['schema'],
    house: PublishedHouseFields | null,
  ): HouseWindowValues {
    const keys = new Map<number, Buffer>();
    const values = new Map<number, FactValue>();
    const { houseReach, valuesOf } = windowNeedsOf(schema);
    for (const declared of schema.declared) {
      if (!isHouseField(declared)) continue;
      const { field } = declared;
      const read = houseValueIn(field, metadata, type);
      if (read.state !== 'VALUE') continue;
      if (!field.personal) values.set(field.number, read.value);
      if (houseReach.has(field.number)) {
        keys.set(
          field.number,
          this.index.computeIndex(organisationId, 'house', houseKeyText(field, read.value)),
        );
      }
    }
    const needed = [...houseReach.keys(), ...[...valuesOf.values()].flatMap((fields) => [...fields])];
    const unfilled = house ? needed.filter((field) => !house.isBackfilled(field)) : [];
    return { houseKeys: keys, houseValues: values, unfilled: new Set(unfilled) };
  }
}
