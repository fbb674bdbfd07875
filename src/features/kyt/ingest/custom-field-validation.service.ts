import { Injectable } from '@nestjs/common';
import { DomainError, type ErrorDetail } from '../../../platform/kernel/index.js';
import type { ClientPrincipal } from '../../../platform/http/index.js';
import { BlindIndex } from '../../../platform/privacy/index.js';
import {
  checkCustomFields,
  customFieldValueIn,
  PublishedCustomFields,
  RulesetRegistryService,
  type CustomFieldDefinition,
  type InputName,
  type LiveRulesets,
} from '../../rules/index.js';
import { customFieldKeyText } from '../domain/custom-field-key.js';
import type { CustomFieldValue } from '../domain/submission/prepared-transaction.js';
import type { Submission } from '../domain/submission/submission.js';

/** A submission with the result of the check of its custom fields. */
export interface AdmittedSubmission {
  readonly submission: Submission;
  readonly kept: readonly CustomFieldValue[];
  /** Reasons to refuse the submission, unless it repeats one that was accepted. */
  readonly refusals: readonly ErrorDetail[];
}

const NONE: readonly never[] = Object.freeze([]);

/** Checks submissions against the custom field schema. */
@Injectable()
export class CustomFieldValidationService {
  private readonly pendingReads = new Map<string, Promise<LiveRulesets>>();

  constructor(
    private readonly registry: RulesetRegistryService,
    private readonly index: BlindIndex,
  ) {}

  async admit(
    { organisationId, id }: Pick<ClientPrincipal, 'organisationId' | 'id'>,
    submitted: Submission,
  ): Promise<AdmittedSubmission> {
    const live = await this.readLive(organisationId);
    const submission = withInputWarning(submitted, live.withoutInputs(id));
    const { customFields } = live;
    // A value that is not stored now would silently be missing from windows later.
    if (customFields === PublishedCustomFields.ALTERED) {
      throw new DomainError('CUSTOM_FIELDS_ALTERED', { retryAfterSeconds: 60 });
    }
    const { fields } = customFields;
    if (fields.length === 0) return { submission, kept: NONE, refusals: NONE };
    const { refusals, isWarned } = checkCustomFields(fields, submission.type, submission.metadata);
    return {
      submission: isWarned
        ? { ...submission, warnings: [...submission.warnings, 'CUSTOM_FIELD_MISMATCH'] }
        : submission,
      kept: customFieldValuesToStore(this.index, organisationId, fields, submission),
      refusals,
    };
  }

  /** Runs one query at a time per organisation, so that the items of a batch keep their order. */
  private readLive(organisationId: string): Promise<LiveRulesets> {
    const pending = this.pendingReads.get(organisationId);
    if (pending) return pending;
    const reading = this.registry.readLive(organisationId).finally(() => {
      this.pendingReads.delete(organisationId);
    });
    this.pendingReads.set(organisationId, reading);
    return reading;
  }
}

/** Warns an application of what it sends although it has said that it does not: it is used as ever. */
function withInputWarning(submission: Submission, without: readonly InputName[]): Submission {
  if (without.length === 0) return submission;
  const { metadata, deviceId, ipAddress, direction, origin, destination } = submission;
  const other = direction.value === 'IN' ? origin : destination;
  const came: readonly InputName[] = [
    ...((metadata['dict'] ?? null) === null ? [] : (['DICT'] as const)),
    ...(deviceId === null && ipAddress === null ? [] : (['DEVICE'] as const)),
    ...(other.taxId === null ? [] : (['COUNTERPARTY_DOCUMENT'] as const)),
  ];
  return came.some((input) => without.includes(input))
    ? { ...submission, warnings: [...submission.warnings, 'INPUT_SAID_MISSING'] }
    : submission;
}

/** Returns the values of a submission that windows will aggregate or be keyed by. */
export function customFieldValuesToStore(
  index: Pick<BlindIndex, 'computeIndex'>,
  organisationId: string,
  fields: readonly CustomFieldDefinition[],
  { type, metadata }: Pick<Submission, 'type' | 'metadata'>,
): CustomFieldValue[] {
  return fields.flatMap((field): CustomFieldValue[] => {
    if (field.history === 'NONE') return [];
    const reading = customFieldValueIn(field, metadata, type);
    if (reading.state !== 'VALUE') return [];
    return [
      {
        field: field.number,
        value: field.personal ? null : JSON.stringify(reading.value),
        key:
          field.history === 'KEY'
            ? index.computeIndex(organisationId, 'custom', customFieldKeyText(field, reading.value))
            : null,
      },
    ];
  });
}
