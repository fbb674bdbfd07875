import {
  execute,
  prepared,
  properties,
  sqlArray,
  statement,
  value,
  type Reader,
  type Rows,
} from '../../../platform/database/index.js';
import type { CustomFieldDefinition } from '../domain/custom-fields/custom-field-schema.js';
import type { InputName, RulesetDefinition } from '../language/index.js';
import { RulesetEpochEntity, RulesetEntity } from './entities.js';

/** A published version as it is stored. */
export interface StoredRuleset extends Readonly<
  Pick<RulesetEntity, 'id' | 'key' | 'version' | 'singleControl'>
> {
  readonly contentHash: string;
  readonly content: RulesetDefinition;
}

export interface StoredSnooze {
  readonly id: string;
  readonly rulesetKey: string;
  readonly ruleKey: string;
  readonly beginsAt: string;
  readonly endsAt: string;
  readonly singleControl: boolean;
}

/** The custom fields in force. */
export interface StoredCustomFields {
  readonly id: string;
  readonly version: number;
  /** Hexadecimal. */
  readonly contentHash: string;
  readonly fields: readonly CustomFieldDefinition[];
  readonly singleControl: boolean;
}

/** The inputs that an application has said not to send. */
export interface StoredInputProfile {
  readonly id: string;
  readonly without: readonly InputName[];
  /** True if one person alone approved it. */
  readonly singleControl: boolean;
}

const EPOCHS = prepared(
  'rules-epochs',
  `SELECT organisation_id AS "organisationId", epoch FROM ruleset_epochs WHERE organisation_id = ANY ($1::uuid[])`,
  properties(RulesetEpochEntity, 'organisationId', 'epoch'),
);

const FIND_LIVE_RULESETS = statement(
  'rules.live',
  `SELECT (SELECT epoch FROM ruleset_epochs WHERE organisation_id = $1) AS epoch,
          (SELECT json_agg(json_build_object('id', id, 'key', key, 'version', version,
                    'contentHash', encode(content_hash, 'hex'), 'content', content, 'singleControl', single_control)
                    ORDER BY published_at DESC, id DESC)
           FROM rulesets WHERE organisation_id = $1 AND status = 'PUBLISHED') AS rulesets,
          (SELECT json_agg(json_build_object('id', id, 'rulesetKey', ruleset_key, 'ruleKey', rule_key,
                    'beginsAt', begins_at, 'endsAt', ends_at, 'singleControl', single_control))
           FROM rule_snoozes
           WHERE organisation_id = $1 AND lifted_at IS NULL AND ends_at > now()) AS snoozes,
          (SELECT json_build_object('id', id, 'version', version, 'contentHash', encode(content_hash, 'hex'),
                    'fields', fields, 'singleControl', single_control)
           FROM custom_field_schemas WHERE organisation_id = $1 ORDER BY version DESC LIMIT 1) AS "customFields",
          ARRAY(SELECT DISTINCT unnest(fields) FROM custom_field_backfills
                WHERE organisation_id = $1 AND status <> 'FINISHED') AS unfilled,
          (SELECT json_agg(json_build_object('id', id, 'without', without_inputs,
                    'singleControl', inputs_single_control))
           FROM client_apps WHERE organisation_id = $1 AND without_inputs <> '{}') AS inputs`,
  {
    epoch: 'bigint | null',
    rulesets: value<readonly StoredRuleset[] | null>('json'),
    snoozes: value<readonly StoredSnooze[] | null>('json'),
    customFields: value<StoredCustomFields | null>('json'),
    unfilled: value<readonly number[]>('integer[]'),
    inputs: value<readonly StoredInputProfile[] | null>('json'),
  },
);

/** The live rulesets of an organisation, from one snapshot of the database. */
export type LiveRulesetsRow = Rows<typeof FIND_LIVE_RULESETS>;

export const readEpochs = (db: Reader, organisationIds: readonly string[]): Promise<Rows<typeof EPOCHS>[]> =>
  execute(db, EPOCHS, [organisationIds]);

const FIND_RULESETS_BY_HASH = statement(
  'rules.pinned',
  `SELECT DISTINCT ON (content_hash) id, key, version, encode(content_hash, 'hex') AS "contentHash", content,
     single_control AS "singleControl"
   FROM rulesets WHERE organisation_id = $1 AND content_hash = ANY ($2::bytea[]) AND published_at IS NOT NULL
   ORDER BY content_hash, published_at DESC`,
  {
    ...properties(RulesetEntity, 'id', 'key', 'version', 'content', 'singleControl'),
    contentHash: 'text',
  },
);

/** Reads the published versions with these hashes, live or not. */
export const readRulesetsByHash = (
  db: Reader,
  organisationId: string,
  hashes: readonly string[],
): Promise<StoredRuleset[]> =>
  execute(db, FIND_RULESETS_BY_HASH, [
    organisationId,
    sqlArray.bytes(hashes.map((hash) => Buffer.from(hash, 'hex'))),
  ]);

/** Reads epoch, published rulesets and running snoozes in one statement, so that no publication is seen in part. */
export async function readLiveRulesets(db: Reader, organisationId: string): Promise<LiveRulesetsRow> {
  const [row] = await execute(db, FIND_LIVE_RULESETS, [organisationId]);
  if (!row) throw new Error('a statement without a condition returned no row');
  return row;
}
