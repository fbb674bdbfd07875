import { Field, View, viewOf } from '../../../../platform/http/index.js';
import { pick, publicId, toPublicActor } from '../../../../platform/kernel/index.js';
import {
  MAX_CUSTOM_FIELDS,
  mismatchPolicies,
  type CustomFieldDefinition,
  type CustomFieldRequest,
  type MismatchPolicy,
} from '../../domain/custom-fields/custom-field-schema.js';
import { customFieldTypes } from '../../language/index.js';
import type { CustomFieldBackfill, CustomFieldSchema } from '../../custom-fields/custom-fields.service.js';
import { LocalisedBody } from '../localised.dto.js';

const HISTORY = ['NONE', 'VALUE', 'KEY'] as const;

export class CustomFieldBody {
  @Field.text('`custom.NAME` in rules.', {
    max: 40,
    pattern: /^[a-z][A-Za-z0-9]*$/,
    form: 'a small letter, then letters and digits',
    example: 'merchantCategory',
  })
  name: string;

  @Field.text('Where it stands in the metadata, members separated by points; the name, unless given.', {
    max: 260,
    optional: true,
    example: 'merchant.category',
  })
  path?: string;

  @Field.enum(customFieldTypes, 'The type of the field.', { example: 'code' })
  type: (typeof customFieldTypes)[number];

  @Field.texts('Only of a code: what it may be.', {
    maxItems: 500,
    optional: true,
    example: ['5411', '7995'],
  })
  codes?: string[];

  @Field.texts('Types of transactions that have it: codes, beginnings such as PIX_*, or *.', {
    maxItems: 100,
    default: ['*'],
    example: ['CARD_PURCHASE'],
  })
  types: string[] = ['*'];

  @Field.flag('Personal: masked, never stored in clear, and read by no filter.', { default: false })
  personal = false;

  @Field.flag('Whether each transaction of these types has to have it.', { default: false })
  required = false;

  @Field.enum(
    mismatchPolicies,
    'REFUSE: a transaction that does not fit is refused. WARN: it is accepted with CUSTOM_FIELD_MISMATCH. IGNORE: nothing is said.',
    { default: 'WARN' },
  )
  onMismatch: MismatchPolicy = 'WARN';

  @Field.enum(
    HISTORY,
    'VALUE: aggregates may read it of earlier transactions. KEY: windows may be by it as well.',
    { default: 'NONE' },
  )
  history: (typeof HISTORY)[number] = 'NONE';

  @Field.object(() => LocalisedBody, 'How it is called in sentences; else by its name.', { optional: true })
  label?: LocalisedBody;
}

export class CustomFieldsBody {
  @Field.list(() => CustomFieldBody, 'All fields; one that is left out is given up.', {
    maxItems: MAX_CUSTOM_FIELDS,
  })
  fields: CustomFieldBody[];

  @Field.string('The reason, in your own words.', {
    minLength: 10,
    maxLength: 2000,
    example: 'Merchant category for the rules about cards.',
  })
  reason: string;
}

/** Copies submitted fields into plain data. */
export const fieldsOf = ({ fields }: CustomFieldsBody): CustomFieldRequest[] =>
  fields.map((field) => ({
    name: field.name,
    path: field.path ?? field.name,
    type: field.type,
    codes: field.codes ?? null,
    types: [...field.types],
    ...pick(field, 'personal', 'required', 'onMismatch', 'history'),
    label: field.label
      ? { 'pt-BR': field.label['pt-BR'], en: field.label.en }
      : { 'pt-BR': field.name, en: field.name },
  }));

export class CustomFieldView {
  @View.integer('Its own for ever within the institution.', { example: 3 }) number: number;
  @View.text('The name of the field.', { example: 'merchantCategory' }) name: string;
  @View.text('The place of it, as in `origin.cpfCnpj`.', { example: 'merchant.category' }) path: string;
  @View.enum(customFieldTypes, 'The type of the field.', { example: 'code' }) type: string;

  @View.of({ type: [String], nullable: true }, 'The codes that it may have; null where any will do.', {
    example: ['5411', '7995'],
  })
  codes: readonly string[] | null;

  @View.texts('The types to which it applies.', { example: ['CARD_PURCHASE'] }) types: readonly string[];
  @View.flag('Masked, never stored in clear, and read by no filter.', { example: false }) personal: boolean;
  @View.flag('Whether it has to be there.', { example: false }) required: boolean;
  @View.enum(mismatchPolicies, 'What becomes of a transaction that does not fit.', { example: 'WARN' })
  onMismatch: string;

  @View.enum(HISTORY, 'Whether its values are kept for windows (VALUE), and windows may be by it (KEY).', {
    example: 'KEY',
  })
  history: string;

  @View.object(LocalisedBody, 'The label of the field, for people.') label: LocalisedBody;

  static of(field: CustomFieldDefinition): CustomFieldView {
    const { number, name, path, type, codes, types, personal, required, onMismatch, history, label } = field;
    return { number, name, path, type, codes, types, personal, required, onMismatch, history, label };
  }
}

export class CustomFieldSchemaView {
  @View.idOrNull('cfs', 'The id of the schema.') id: string | null;
  @View.integer('0 where nothing is typed yet.', { example: 2 }) version: number;
  @View.list(CustomFieldView, 'The fields.') fields: CustomFieldView[];
  @View.textOrNull('SHA-256 of the canonical fields.') contentHash: string | null;
  @View.idOrNull('opr', 'Who wrote the schema.') author: string | null;
  @View.instantOrNull('When the schema was created.') createdAt: string | null;

  static of(row: CustomFieldSchema | null): CustomFieldSchemaView {
    if (!row) return { id: null, version: 0, fields: [], contentHash: null, author: null, createdAt: null };
    return {
      id: publicId('cfs', row.id),
      version: row.version,
      fields: row.fields.map((field) => CustomFieldView.of(field)),
      contentHash: row.contentHash.toString('hex'),
      author: toPublicActor(row.createdBy),
      createdAt: row.createdAt.toISOString(),
    };
  }
}

export class CustomFieldBackfillView {
  @View.id('cfb', 'The id of the backfill.') id: string;
  @View.integer('The version of the fields that it is for.', { example: 2 }) schemaVersion: number;

  @View.of({ type: [Number] }, 'Numbers of the fields whose values are taken from earlier transactions.', {
    example: [3],
  })
  fields: readonly number[];

  @View.enum(['QUEUED', 'RUNNING', 'FINISHED', 'FAILED'], 'The status of the backfill.', {
    example: 'RUNNING',
  })
  status: string;
  @View.instant('Not before.') beginsAt: string;
  @View.integer('Transactions that were looked at.', { example: 420_000 }) done: number;
  @View.integerOrNull('All that are to be looked at.', { example: 1_000_000 }) total: number | null;
  @View.integer('Those that had a value.', { example: 310_000 }) filled: number;
  @View.integer('Those whose body is gone, or cannot be read.', { example: 0 }) unreadable: number;
  @View.textOrNull('Why it failed; null when it did not.') failureCode: string | null;
  @View.instant('When the backfill was created.') createdAt: string;
  @View.instantOrNull('When the backfill finished; null before.') finishedAt: string | null;

  static of(row: CustomFieldBackfill): CustomFieldBackfillView {
    return viewOf(CustomFieldBackfillView, row, {
      done: Number(row.done),
      total: row.total === null ? null : Number(row.total),
      filled: Number(row.filled),
      unreadable: Number(row.unreadable),
    });
  }
}

export class CustomFieldBackfillParams {
  @Field.id('cfb', 'The id of the backfill.') id: string;
}
