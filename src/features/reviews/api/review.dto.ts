import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsOptional, ValidateIf } from 'class-validator';
import { Check, Field, createFault } from '../../../platform/http/index.js';
import {
  priorities,
  reportDecisions,
  resolutions,
  reviewKinds,
  MIN_JUSTIFICATION_LENGTH,
  type Priority,
  type ReportDecision,
  type Resolution,
  type ReviewKind,
} from '../domain/review.js';

export const QUEUE = {
  max: 40,
  pattern: /^[a-z0-9][a-z0-9-]*$/,
  form: 'lower-case letters, digits and hyphens',
};
export const REASON = {
  minLength: MIN_JUSTIFICATION_LENGTH,
  maxLength: 4_000,
  pattern: /^[\s\S]{20,}$/u,
  form: 'at least 20 characters',
};
export const IsIdOf = (prefix: string): PropertyDecorator => {
  const pattern = new RegExp(`^${prefix}_[0-9a-f]{32}$`);
  const wrong = createFault(
    'PATTERN_MISMATCH',
    `Must be a list of ids, each an id that begins with ${prefix}_.`,
  );
  return Check(`ids-${prefix}`, (value) =>
    Array.isArray(value) && value.every((one) => typeof one === 'string' && pattern.test(one)) ? null : wrong,
  );
};

export class OpenReviewBody {
  @Field.id('cus', 'The id of the customer.', {
    required: false,
    example: 'cus_019364d0c0de7000a000000000000001',
  })
  @ValidateIf(({ transaction }: OpenReviewBody) => transaction === undefined)
  customerId?: string;

  @Field.id('txn', 'One of customerId and transaction is needed.', {
    optional: true,
    example: 'txn_019364d0c0de7000a000000000000001',
  })
  transaction?: string;

  @Field.text('The reason, in your own words.', {
    ...REASON,
    example: 'The branch reports that the customer refused to say where the money comes from.',
  })
  reason: string;

  @Field.enum(priorities, 'How urgent it is.', { optional: true, default: 'MEDIUM' }) priority?: Priority;
  @Field.text('The queue in which the case waits.', { ...QUEUE, optional: true, example: 'transactions' })
  queue?: string;
}

export class AddTransactionsBody {
  @ApiProperty({
    type: [String],
    maxItems: 500,
    example: ['txn_019364d0c0de7000a000000000000001'],
    description: 'Transactions that belong to what the case tells.',
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(500)
  @ArrayUnique()
  @IsIdOf('txn')
  transactions: string[];

  @Field.text('The reason, in your own words.', {
    ...REASON,
    example: 'The twelve payments that filled the account on the day before.',
  })
  reason: string;
}

export class AssignBody {
  @Field.text('The operator, `me`, or null for nobody.', {
    max: 36,
    pattern: /^(me|opr_[0-9a-f]{32})$/,
    form: 'me, or the id of an operator',
    required: false,
    nullable: true,
    example: 'opr_019364d0c0de7000a000000000000001',
  })
  @ValidateIf(({ assigneeId, automatic }: AssignBody) => assigneeId !== null && automatic !== true)
  assigneeId?: string | null;

  @Field.flag('Gives it to whoever has the fewest cases and is below the cap.', {
    optional: true,
    default: false,
  })
  automatic?: boolean;
}

export class BulkAssignmentBody {
  @ApiPropertyOptional({
    type: [String],
    maxItems: 200,
    example: ['rev_019364d0c0de7000a000000000000001'],
    description: 'The cases to give to `assigneeId`; left out when they are shared out.',
  })
  @ValidateIf(({ automatic }: BulkAssignmentBody) => automatic !== true)
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(200)
  @ArrayUnique()
  @IsIdOf('rev')
  reviewIds?: string[];

  @Field.text('Who works on it; null for nobody.', {
    max: 36,
    pattern: /^(me|opr_[0-9a-f]{32})$/,
    form: 'me, or the id of an operator',
    required: false,
    example: 'opr_019364d0c0de7000a000000000000001',
  })
  @ValidateIf(({ automatic }: BulkAssignmentBody) => automatic !== true)
  assigneeId?: string;

  @Field.flag('Shares out cases that nobody has, the most urgent first.', { optional: true, default: false })
  automatic?: boolean;

  @Field.text('Only cases of this queue are shared out.', { ...QUEUE, optional: true, example: 'screening' })
  queue?: string;

  @Field.enum(reviewKinds, 'Only cases of this kind are shared out.', { optional: true }) kind?: ReviewKind;
  @Field.integer('At most so many.', { min: 1, max: 500, optional: true, default: 100 }) limit?: number;
  @Field.flag('Only says who would get which case.', { optional: true, default: false }) preview?: boolean;
}

export class NoteBody {
  @Field.text('The text.', {
    maxLength: 8_000,
    example: 'Called the customer; the invoice comes by e-mail today.',
  })
  text: string;

  @ApiPropertyOptional({
    type: [String],
    maxItems: 20,
    example: ['art_019364d0c0de7000a000000000000001'],
    description: 'Files that belong to the note.',
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(20)
  @ArrayUnique()
  @IsIdOf('art')
  artifactIds?: string[];
}

export class RequestInfoBody {
  @Field.text('The text.', {
    maxLength: 8_000,
    example: 'Asked the branch for the purchase contract of the property.',
  })
  text: string;
}

export class DecisionBody {
  @Field.enum(resolutions, 'APPROVED and FALSE_POSITIVE let the transactions pass, REJECTED does not.', {
    example: 'FALSE_POSITIVE',
  })
  resolution: Resolution;

  @Field.enum(reportDecisions, 'Whether it is communicated to COAF by the next business day, or archived.', {
    example: 'ARCHIVE',
  })
  report: ReportDecision;

  @Field.text('Why it was decided.', {
    ...REASON,
    example: 'Salary of the same employer for three years; the amount is the yearly bonus, with payslip.',
  })
  justification: string;

  @Field.text(
    'With COMMUNICATE, while payments of the customer around the alerts are not in the case: why they stay out.',
    {
      ...REASON,
      optional: true,
      example: 'The other payments of that day are the salary and the rent, as always.',
    },
  )
  withoutRelated?: string;

  @Field.ordinal(
    '`revision` of the case that the decision is about: refused when something was added since.',
    { optional: true },
  )
  revision?: number;
}

export class CaseReasonBody {
  @Field.text('The reason, in your own words.', {
    ...REASON,
    example: 'The bank of origin reported a fraud after the case was closed.',
  })
  reason: string;
}
