import { Injectable } from '@nestjs/common';
import { DomainError, type ErrorDetail } from '../../../platform/kernel/index.js';
import { BlindIndex } from '../../../platform/privacy/index.js';
import {
  checkHouseFields,
  houseValueIn,
  PublishedHouseFields,
  RulesetRegistryService,
  type HouseFieldDefinition,
  type LiveRulesets,
} from '../../rules/index.js';
import { houseKeyText } from '../domain/house-key.js';
import type { HouseValue } from '../domain/submission/prepared-transaction.js';
import type { Submission } from '../domain/submission/submission.js';

/** A submission with the result of the check of its house fields. */
export interface AdmittedSubmission {
  readonly submission: Submission;
  readonly kept: readonly HouseValue[];
  /** Reasons to refuse the submission, unless it repeats one that was accepted. */
  readonly refusals: readonly ErrorDetail[];
}

const NONE: readonly never[] = Object.freeze([]);

/** Checks submissions against the house schema. */
@Injectable()
export class HouseFieldValidationService {
  private readonly pendingReads = new Map<string, Promise<LiveRulesets>>();

  constructor(
    private readonly registry: RulesetRegistryService,
    private readonly index: BlindIndex,
  ) {}

  async admit(organisationId: string, submission: Submission): Promise<AdmittedSubmission> {
    const { house } = await this.readLive(organisationId);
    // A value that is not stored now would silently be missing from windows later.
    if (house === PublishedHouseFields.ALTERED) {
      throw new DomainError('HOUSE_FIELDS_ALTERED', { retryAfterSeconds: 60 });
    }
    const { fields } = house;
    if (fields.length === 0) return { submission, kept: NONE, refusals: NONE };
    const { refusals, isWarned } = checkHouseFields(fields, submission.type, submission.metadata);
    return {
      submission: isWarned
        ? { ...submission, warnings: [...submission.warnings, 'HOUSE_FIELD_MISMATCH'] }
        : submission,
      kept: houseValuesToStore(this.index, organisationId, fields, submission),
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
export function houseValuesToStore(
  index: Pick<BlindIndex, 'computeIndex'>,
  organisationId: string,
  fields: readonly HouseFieldDefinition[],
  { type, metadata }: Pick<Submission, 'type' | 'metadata'>,
): HouseValue[] {
  return fields.flatMap((field): HouseValue[] => {
    if (field.history === 'NONE') return [];
    const read = houseValueIn(field, metadata, type);
    if (read.state !== 'VALUE') return [];
    return [
      {
        field: field.number,
        value: field.personal ? null : JSON.stringify(read.value),
        key:
          field.history === 'KEY'
            ? index.computeIndex(organisationId, 'house', houseKeyText(field, read.value))
            : null,
      },
    ];
  });
}
