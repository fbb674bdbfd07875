import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  Max,
  Min,
  ValidateIf,
} from 'class-validator';
import { Check, finding, IsOrdinal, IsText, PageQuery, UrlFlag } from '../../http/index.js';
import {
  priorities,
  reportDecisions,
  resolutions,
  reviewKinds,
  reviewStatuses,
  SHORTEST_JUSTIFICATION,
  type Priority,
  type ReportDecision,
  type Resolution,
  type ReviewKind,
  type ReviewStatus,
} from '../domain/review.js';

const id = (prefix: string): { max: number; pattern: RegExp; form: string } => ({
  max: 36,
  pattern: new RegExp(`^${prefix}_[0-9a-f]{32}$`),
  form: `an id that begins with ${prefix}_`,
});
const QUEUE = { max: 40, pattern: /^[a-z0-9][a-z0-9-]*$/, form: 'lower-case letters, digits and hyphens' };
const REASON = { max: 4_000, pattern: /^[\s\S]{20,}$/u, form: 'at least 20 characters' };
const LONG = { max: 8_000 };
const IsIdOf = (prefix: string): PropertyDecorator => {
  const { pattern, form } = id(prefix);
  const wrong = finding('PATTERN_MISMATCH', `Must be a list of ids, each ${form}.`);
  return Check(`ids-${prefix}`, (value) =>
    Array.isArray(value) && value.every((one) => typeof one === 'string' && pattern.test(one)) ? null : wrong,
  );
};

export class ReviewsQuery extends PageQuery {
  @ApiPropertyOptional({ enum: reviewStatuses, description: 'Without it, cases that are not closed.' })
  @IsOptional()
  @IsIn(reviewStatuses)
  status?: ReviewStatus;

  @ApiPropertyOptional({ enum: reviewKinds })
  @IsOptional()
  @IsIn(reviewKinds)
  kind?: ReviewKind;

  @ApiPropertyOptional({ enum: priorities })
  @IsOptional()
  @IsIn(priorities)
  priority?: Priority;

  @ApiPropertyOptional({ example: 'screening' })
  @IsOptional()
  @IsText(QUEUE)
  queue?: string;

  @ApiPropertyOptional({
    example: 'me',
    description: 'The id of an operator, `me`, or `none` for cases that nobody has.',
  })
  @IsOptional()
  @IsText({ max: 36, pattern: /^(me|none|opr_[0-9a-f]{32})$/, form: 'me, none, or the id of an operator' })
  assignee?: string;

  @ApiPropertyOptional({ example: 'cus_019364d0c0de7000a000000000000001' })
  @IsOptional()
  @IsText(id('cus'))
  customerId?: string;

  @ApiPropertyOptional({ example: 'txn_019364d0c0de7000a000000000000001' })
  @IsOptional()
  @IsText(id('txn'))
  transaction?: string;

  @ApiPropertyOptional({
    type: Boolean,
    description: 'Only cases one of whose clocks has run out, closed ones that are not communicated yet too.',
  })
  @IsOptional()
  @UrlFlag()
  @IsBoolean()
  overdue?: boolean;
}

export class OpenReviewBody {
  @ApiPropertyOptional({ example: 'cus_019364d0c0de7000a000000000000001' })
  @ValidateIf(({ transaction }: OpenReviewBody) => transaction === undefined)
  @IsText(id('cus'))
  customerId?: string;

  @ApiPropertyOptional({
    example: 'txn_019364d0c0de7000a000000000000001',
    description: 'One of customerId and transaction is needed.',
  })
  @IsOptional()
  @IsText(id('txn'))
  transaction?: string;

  @ApiProperty({
    minLength: 20,
    maxLength: 4_000,
    example: 'The branch reports that the customer refused to say where the money comes from.',
  })
  @IsText(REASON)
  reason: string;

  @ApiPropertyOptional({ enum: priorities, default: 'MEDIUM' })
  @IsOptional()
  @IsIn(priorities)
  priority?: Priority;

  @ApiPropertyOptional({ example: 'transactions' })
  @IsOptional()
  @IsText(QUEUE)
  queue?: string;
}

export class AssignBody {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    example: 'opr_019364d0c0de7000a000000000000001',
    description: 'The operator, `me`, or null for nobody.',
  })
  @ValidateIf(({ assigneeId, automatic }: AssignBody) => assigneeId !== null && automatic !== true)
  @IsText({ max: 36, pattern: /^(me|opr_[0-9a-f]{32})$/, form: 'me, or the id of an operator' })
  assigneeId?: string | null;

  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description: 'Gives it to whoever has the fewest cases and is below the cap.',
  })
  @IsOptional()
  @IsBoolean()
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

  @ApiPropertyOptional({ example: 'opr_019364d0c0de7000a000000000000001' })
  @ValidateIf(({ automatic }: BulkAssignmentBody) => automatic !== true)
  @IsText({ max: 36, pattern: /^(me|opr_[0-9a-f]{32})$/, form: 'me, or the id of an operator' })
  assigneeId?: string;

  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description: 'Shares out cases that nobody has, the most urgent first.',
  })
  @IsOptional()
  @IsBoolean()
  automatic?: boolean;

  @ApiPropertyOptional({ example: 'screening', description: 'Only cases of this queue are shared out.' })
  @IsOptional()
  @IsText(QUEUE)
  queue?: string;

  @ApiPropertyOptional({ enum: reviewKinds, description: 'Only cases of this kind are shared out.' })
  @IsOptional()
  @IsIn(reviewKinds)
  kind?: ReviewKind;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 500, default: 100 })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(500)
  limit?: number;
}

export class NoteBody {
  @ApiProperty({ maxLength: 8_000, example: 'Called the customer; the invoice comes by e-mail today.' })
  @IsText(LONG)
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
  @ApiProperty({ maxLength: 8_000, example: 'Asked the branch for the purchase contract of the property.' })
  @IsText(LONG)
  text: string;
}

export class DecisionBody {
  @ApiProperty({
    enum: resolutions,
    example: 'FALSE_POSITIVE',
    description: 'APPROVED and FALSE_POSITIVE let the transactions pass, REJECTED does not.',
  })
  @IsIn(resolutions)
  resolution: Resolution;

  @ApiProperty({
    enum: reportDecisions,
    example: 'ARCHIVE',
    description: 'Whether it is communicated to COAF by the next business day, or archived.',
  })
  @IsIn(reportDecisions)
  report: ReportDecision;

  @ApiProperty({
    minLength: SHORTEST_JUSTIFICATION,
    maxLength: 4_000,
    example: 'Salary of the same employer for three years; the amount is the yearly bonus, with payslip.',
  })
  @IsText(REASON)
  justification: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    description: '`revision` of the case that the decision is about: refused when something was added since.',
  })
  @IsOptional()
  @IsOrdinal()
  revision?: number;
}

export class ApprovalBody {
  @ApiProperty({ example: true, description: 'False sends the proposal back into analysis.' })
  @IsBoolean()
  approved: boolean;

  @ApiPropertyOptional({
    minLength: SHORTEST_JUSTIFICATION,
    maxLength: 4_000,
    description: 'Needed to send it back.',
  })
  @ValidateIf(({ approved, comment }: ApprovalBody) => !approved || comment !== undefined)
  @IsText(REASON)
  comment?: string;
}

export class ReasonBody {
  @ApiProperty({
    minLength: SHORTEST_JUSTIFICATION,
    maxLength: 4_000,
    example: 'The bank of origin reported a fraud after the case was closed.',
  })
  @IsText(REASON)
  reason: string;
}
