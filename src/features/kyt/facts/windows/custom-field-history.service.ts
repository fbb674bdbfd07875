import { Inject, Injectable } from '@nestjs/common';
import { BlindIndex } from '../../../../platform/privacy/index.js';
import {
  customFieldValueIn,
  isCustomField,
  RulesetRegistryService,
  type FactSheet,
  type FactValue,
  type PublishedCustomFields,
} from '../../../rules/index.js';
import { windowNeedsOf } from '../../domain/aggregates/window-needs.js';
import type { DecryptedTransaction } from '../../domain/claimed.js';
import { customFieldKeyText } from '../../domain/custom-field-key.js';

/** The values of custom fields in one transaction that windows need. */
export interface CustomFieldWindowValues {
  /** Keyed by number of the field. */
  readonly customFieldKeys: ReadonlyMap<number, Buffer>;
  readonly customFieldValues: ReadonlyMap<number, FactValue>;
  readonly unfilled: ReadonlySet<number>;
}

const NO_VALUES: CustomFieldWindowValues = {
  customFieldKeys: new Map(),
  customFieldValues: new Map(),
  unfilled: new Set(),
};

/**
 * Reads the custom fields that windows aggregate or are keyed by. Without a registry, as in a simulation, every field
 * counts as back-filled.
 */
@Injectable()
export class CustomFieldHistoryService {
  constructor(
    @Inject(BlindIndex) private readonly index: Pick<BlindIndex, 'computeIndex'>,
    @Inject(RulesetRegistryService)
    private readonly registry: Pick<RulesetRegistryService, 'readLiveRulesets'> | null,
  ) {}

  /** Returns the values of each transaction, in order, for the custom fields that the schema of its sheet declares. */
  async read(
    batch: readonly DecryptedTransaction[],
    sheets: readonly FactSheet[],
  ): Promise<readonly CustomFieldWindowValues[]> {
    if (sheets.every(({ schema }) => schema.declared.length === 0)) return batch.map(() => NO_VALUES);
    const liveRulesets = await this.registry?.readLiveRulesets(
      batch.map(({ organisationId }) => organisationId),
    );
    return batch.map((transaction, i) => {
      const schema = sheets[i]?.schema;
      if (!schema || schema.declared.length === 0) return NO_VALUES;
      return this.readTransaction(
        transaction,
        schema,
        liveRulesets?.get(transaction.organisationId)?.customFields ?? null,
      );
    });
  }

  private readTransaction(
    { organisationId, submission: { metadata, type } }: DecryptedTransaction,
    schema: FactSheet['schema'],
    published: PublishedCustomFields | null,
  ): CustomFieldWindowValues {
    const keys = new Map<number, Buffer>();
    const values = new Map<number, FactValue>();
    const { customFieldReach, valuesOf } = windowNeedsOf(schema);
    for (const declared of schema.declared) {
      if (!isCustomField(declared)) continue;
      const { field } = declared;
      const reading = customFieldValueIn(field, metadata, type);
      if (reading.state !== 'VALUE') continue;
      if (!field.personal) values.set(field.number, reading.value);
      if (customFieldReach.has(field.number)) {
        keys.set(
          field.number,
          this.index.computeIndex(organisationId, 'custom', customFieldKeyText(field, reading.value)),
        );
      }
    }
    const needed = [...customFieldReach.keys(), ...[...valuesOf.values()].flatMap((fields) => [...fields])];
    const unfilled = published ? needed.filter((field) => !published.isBackfilled(field)) : [];
    return { customFieldKeys: keys, customFieldValues: values, unfilled: new Set(unfilled) };
  }
}
