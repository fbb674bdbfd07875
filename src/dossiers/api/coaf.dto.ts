import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { Check, finding, IsInstant, IsText, PageQuery } from '../../http/index.js';
import { publicId } from '../../kernel/index.js';
import { segments, type CommunicationKind } from '../data/siscoaf-layout.js';
import type { YearOfCommunications } from '../coaf-desk.service.js';
import type { Institution } from '../domain/communication.js';
import { filingStatuses, type FilingStatus } from '../domain/filing.js';
import { isTaxId } from '../domain/tax-id-text.js';
import type { DraftProblem } from '../domain/siscoaf-xml.js';
import type { CommunicationRow } from '../domain/records.js';

const kinds = Object.keys(segments) as CommunicationKind[];
const toBoolean = ({ value }: { value: unknown }): unknown =>
  value === 'true' ? true : value === 'false' ? false : value;
const NOT_A_CNPJ = finding('PATTERN_MISMATCH', 'Must be a CNPJ or CPF with its check digits.');

export class CommunicationsQuery extends PageQuery {
  @ApiPropertyOptional({ enum: kinds })
  @IsOptional()
  @IsIn(kinds)
  kind?: CommunicationKind;

  @ApiPropertyOptional({ enum: filingStatuses })
  @IsOptional()
  @IsIn(filingStatuses)
  status?: FilingStatus;

  @ApiPropertyOptional({ example: 'cus_019364d0c0de7000a000000000000001' })
  @IsOptional()
  @IsText({ max: 36, pattern: /^cus_[0-9a-f]{32}$/, form: 'the id of a customer' })
  customerId?: string;

  @ApiPropertyOptional({ type: Boolean, description: 'Only what is not filed although its day has passed.' })
  @IsOptional()
  @Transform(toBoolean)
  @IsBoolean()
  overdue?: boolean;
}

export class YearQuery {
  @ApiProperty({ type: 'integer', minimum: 2020, maximum: 2100, example: 2026 })
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{4}$/.test(value) ? Number(value) : value,
  )
  @IsInt()
  @Min(2020)
  @Max(2100)
  year: number;
}

export class FilingBody {
  @ApiProperty({
    example: '2026112000017',
    description: 'The number that Siscoaf gave to the communication.',
  })
  @IsText({ max: 60, pattern: /^[0-9A-Za-z./-]+$/, form: 'letters, digits and . / -' })
  filingNumber: string;

  @ApiPropertyOptional({ example: 'RECIBO-88F2', description: 'The acknowledgement, as Siscoaf shows it.' })
  @IsOptional()
  @IsText({ max: 120, pattern: /^[0-9A-Za-z ./-]+$/, form: 'letters, digits, spaces and . / -' })
  acknowledgement?: string;

  @ApiProperty({ example: '2026-11-20T14:00:00Z', description: 'When COAF received it.' })
  @IsInstant()
  receivedAt: string;
}

export class FilingDecisionBody {
  @ApiProperty({
    enum: ['CONFIRM', 'REFUSE'],
    example: 'CONFIRM',
    description: 'REFUSE: what was recorded is wrong, and the communication is a draft again.',
  })
  @IsIn(['CONFIRM', 'REFUSE'])
  decision: 'CONFIRM' | 'REFUSE';
}

export class InstitutionBody {
  @ApiProperty({ example: '11222333000181', description: 'CNPJ of the institution that communicates.' })
  @IsText({ max: 18 })
  @Check('tax-id', (value) => (typeof value === 'string' && isTaxId(value) ? null : NOT_A_CNPJ))
  taxId: string;

  @ApiProperty({ example: 'Instituição de Pagamento Exemplo S.A.' })
  @IsText({ max: 150 })
  name: string;

  @ApiPropertyOptional({ example: '0001' })
  @IsOptional()
  @IsText({ max: 10 })
  branchNumber?: string;

  @ApiPropertyOptional({ example: 'Matriz' })
  @IsOptional()
  @IsText({ max: 60 })
  branchName?: string;

  @ApiPropertyOptional({ example: 'São Paulo' })
  @IsOptional()
  @IsText({ max: 60 })
  city?: string;

  @ApiPropertyOptional({ example: 'SP', description: 'Federative unit.' })
  @IsOptional()
  @IsText({ max: 2, pattern: /^[A-Z]{2}$/, form: 'two capital letters' })
  state?: string;
}

export class InstitutionView {
  @ApiProperty({ type: String, nullable: true, example: '11222333000181' })
  taxId: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Instituição de Pagamento Exemplo S.A.' })
  name: string | null;

  @ApiProperty({ type: String, nullable: true, example: '0001' })
  branchNumber: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Matriz' })
  branchName: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'São Paulo' })
  city: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'SP' })
  state: string | null;

  static of(institution: Institution | null): InstitutionView {
    const { taxId = null, name = null, branchNumber = null } = institution ?? {};
    const { branchName = null, city = null, state = null } = institution ?? {};
    return { taxId, name, branchNumber, branchName, city, state };
  }
}

export class FilingView {
  @ApiProperty({ example: '2026112000017' })
  filingNumber: string;

  @ApiProperty({ type: String, nullable: true, example: 'RECIBO-88F2' })
  acknowledgement: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  receivedAt: string | null;

  @ApiProperty({ example: 'opr_019364d0c0de7000a000000000000009' })
  recordedBy: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  recordedAt: string | null;

  @ApiProperty({ type: String, nullable: true, example: null })
  confirmedBy: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  confirmedAt: string | null;

  @ApiProperty({
    description: 'SHA-256 over the canonical JSON of what was frozen when the filing was recorded.',
    example: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  })
  contentHash: string;
}

/** A communication without any person in it. */
export class CommunicationView {
  @ApiProperty({ example: 'com_019364d0c0de7000a000000000000011' })
  id: string;

  @ApiProperty({
    enum: kinds,
    example: 'CASH',
    description: 'SUSPICION: segment 41, decided in a case. CASH: segment 42, reported by itself.',
  })
  kind: CommunicationKind;

  @ApiProperty({ enum: [41, 42], example: 42 })
  segment: number;

  @ApiProperty({ enum: filingStatuses, example: 'DRAFT' })
  status: FilingStatus;

  @ApiProperty({ type: String, nullable: true, example: null })
  reviewId: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'txn_019364d0c0de7000a000000000000001' })
  transactionRef: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'cus_019364d0c0de7000a000000000000002' })
  customerId: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: '50000',
    description: 'Of an operation in cash; null when no rate was known.',
  })
  amountBrl: string | null;

  @ApiProperty({ type: String, format: 'date-time' })
  decidedAt: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'The end of the next day on which banks are open.',
  })
  dueAt: string;

  @ApiProperty({ example: false })
  overdue: boolean;

  @ApiProperty({ type: FilingView, nullable: true })
  filing: FilingView | null;

  static of(row: CommunicationRow, now: number): CommunicationView {
    return {
      id: publicId('com', row.id),
      kind: row.kind,
      segment: segments[row.kind],
      status: row.status,
      reviewId: row.reviewId && publicId('rev', row.reviewId),
      transactionRef: row.transactionRef && publicId('txn', row.transactionRef),
      customerId: row.customerId && publicId('cus', row.customerId),
      amountBrl: row.amountBrl,
      decidedAt: row.decidedAt.toISOString(),
      dueAt: row.dueAt.toISOString(),
      overdue: row.status !== 'FILED' && row.dueAt.getTime() < now,
      filing:
        row.filingNumber === null || row.recordedBy === null
          ? null
          : {
              filingNumber: row.filingNumber,
              acknowledgement: row.acknowledgement,
              receivedAt: row.receivedAt?.toISOString() ?? null,
              recordedBy: publicId('opr', row.recordedBy),
              recordedAt: row.recordedAt?.toISOString() ?? null,
              confirmedBy: row.confirmedBy && publicId('opr', row.confirmedBy),
              confirmedAt: row.confirmedAt?.toISOString() ?? null,
              contentHash: row.contentHash ?? '',
            },
    };
  }
}

export class DraftProblemView {
  @ApiProperty({ example: 'CPFCNPJCom', description: 'The field, as the file calls it.' })
  field: string;

  @ApiProperty({
    enum: ['MISSING', 'INVALID', 'TOO_LONG', 'TOO_LARGE', 'CODE_UNKNOWN', 'CHARACTERS_REPLACED', 'NOT_KNOWN'],
    example: 'MISSING',
  })
  code: DraftProblem['code'];
}

export class CommunicationDetailView extends CommunicationView {
  @ApiProperty({ type: [Number], example: [1161], description: 'What it is reported for, by Siscoaf code.' })
  codes: readonly number[];

  @ApiProperty({ type: [DraftProblemView], description: 'What a person must see to before filing it.' })
  problems: readonly DraftProblemView[];
}

/** The same with codes and problems. */
export const detailOf = (
  row: CommunicationRow,
  now: number,
  { codes, problems }: Pick<CommunicationDetailView, 'codes' | 'problems'>,
): CommunicationDetailView =>
  Object.assign(new CommunicationDetailView(), CommunicationView.of(row, now), { codes, problems });

export class YearCountView {
  @ApiProperty({ enum: kinds, example: 'CASH' })
  kind: CommunicationKind;

  @ApiProperty({ type: 'integer', example: 3, description: 'Decided in the year, filed or not.' })
  drafted: number;

  @ApiProperty({ type: 'integer', example: 3 })
  filed: number;
}

export class YearView {
  @ApiProperty({ type: 'integer', example: 2026 })
  year: number;

  @ApiProperty({ type: [YearCountView] })
  counts: readonly YearCountView[];

  @ApiProperty({ example: false, description: 'Nothing was communicated: that has to be stated.' })
  noOccurrence: boolean;

  @ApiProperty({ type: String, format: 'date-time' })
  statementDueAt: string;

  static of({ statementDueAt, ...year }: YearOfCommunications): YearView {
    return { ...year, statementDueAt: statementDueAt.toISOString() };
  }
}
