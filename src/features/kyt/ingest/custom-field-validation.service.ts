import { Injectable } from '@nestjs/common';
import { DomainError, type ErrorDetail } from '../../../platform/kernel/index.js';
import { BlindIndex } from '../../../platform/privacy/index.js';
import {
  checkCustomFields,
  customFieldValueIn,
  PublishedCustomFields,
  RulesetRegistryService,
  type CustomFieldDefinition,
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

  async admit(organisationId: string, submission: Submission): Promise<AdmittedSubmission> {
    const { customFields } = await this.readLive(organisationId);
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
