import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  Check,
  Field,
  createFault,
  IsInstant,
  PageQuery,
  View,
  viewOf,
} from '../../../platform/http/index.js';
import { required, publicId } from '../../../platform/kernel/index.js';
import { segments, type CommunicationKind } from '../data/siscoaf-layout.js';
import type { CommunicationYear, Institution } from '../domain/coaf/communication.js';
import { draftProblemCodes, type DraftProblem, type DraftProblemCode } from '../domain/coaf/siscoaf-xml.js';
import { filingStatuses, type FilingStatus } from '../domain/coaf/filing.js';
import { isTaxId } from '../domain/tax-id-text.js';
import type { CommunicationRow } from '../domain/records.js';

const kinds = Object.keys(segments) as CommunicationKind[];
const NOT_A_CNPJ = createFault('PATTERN_MISMATCH', 'Must be a CNPJ or CPF with its check digits.');

export class CommunicationsQuery extends PageQuery {
  @Field.enum(kinds, 'Only those of this kind.', { optional: true }) kind?: CommunicationKind;
  @Field.enum(filingStatuses, 'Only those with this status.', { optional: true }) status?: FilingStatus;

  @Field.id('cus', 'Only those of this customer.', {
    form: 'the id of a customer',
    optional: true,
    example: 'cus_019364d0c0de7000a000000000000001',
  })
  customerId?: string;

  @Field.flag('Only what is not filed although its day has passed.', { url: true, optional: true })
  overdue?: boolean;
}

export class YearQuery {
  @Field.integer('The year.', { min: 2020, max: 2100, example: 2026 })
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{4}$/.test(value) ? Number(value) : value,
  )
  year: number;
}

export class FilingBody {
  @Field.text('The number that Siscoaf gave to the communication.', {
    max: 60,
    pattern: /^[0-9A-Za-z./-]+$/,
    form: 'letters, digits and . / -',
    example: '2026112000017',
  })
  filingNumber: string;

  @Field.text('The acknowledgement, as Siscoaf shows it.', {
    max: 120,
    pattern: /^[0-9A-Za-z ./-]+$/,
    form: 'letters, digits, spaces and . / -',
    optional: true,
    example: 'RECIBO-88F2',
  })
  acknowledgement?: string;

  @ApiProperty({ example: '2026-11-20T14:00:00Z', description: 'When COAF received it.' })
  @IsInstant()
  receivedAt: string;
}

export class InstitutionBody {
  @Field.text('CNPJ of the institution that communicates.', { max: 18, example: '11222333000181' })
  @Check('tax-id', (value) => (typeof value === 'string' && isTaxId(value) ? null : NOT_A_CNPJ))
  taxId: string;

  @Field.text('The name of the institution.', { max: 150, example: 'Instituição de Pagamento Exemplo S.A.' })
  name: string;
  @Field.text('The number of the branch.', { max: 10, optional: true, example: '0001' })
  branchNumber?: string;
  @Field.text('The name of the branch.', { max: 60, optional: true, example: 'Matriz' }) branchName?: string;
  @Field.text('The city.', { max: 60, optional: true, example: 'São Paulo' }) city?: string;

  @Field.text('Federative unit.', {
    max: 2,
    pattern: /^[A-Z]{2}$/,
    form: 'two capital letters',
    optional: true,
    example: 'SP',
  })
  state?: string;
}

export class InstitutionView implements Institution {
  @View.textOrNull('The CNPJ.', { example: '11222333000181' }) taxId: string | null;
  @View.textOrNull('The name of the institution.', { example: 'Instituição de Pagamento Exemplo S.A.' })
  name: string | null;
  @View.textOrNull('The number of the branch.', { example: '0001' }) branchNumber: string | null;
  @View.textOrNull('The name of the branch.', { example: 'Matriz' }) branchName: string | null;
  @View.textOrNull('The city.', { example: 'São Paulo' }) city: string | null;
  @View.textOrNull('The state of the institution.', { example: 'SP' }) state: string | null;

  static of(institution: Institution | null): InstitutionView {
    const { taxId = null, name = null, branchNumber = null } = institution ?? {};
    const { branchName = null, city = null, state = null } = institution ?? {};
    return { taxId, name, branchNumber, branchName, city, state };
  }
}

export class FilingView {
  @View.text('The number that the authority gave to it.', { example: '2026112000017' }) filingNumber: string;
  @View.textOrNull('What the authority answered when it was filed.', { example: 'RECIBO-88F2' })
  acknowledgement: string | null;
  @View.instantOrNull('When it was received.') receivedAt: string | null;
  @View.id('opr', 'Who wrote it down.') recordedBy: string;
  @View.instantOrNull('When it was written down.') recordedAt: string | null;
  @View.textOrNull('Who confirmed it, another person than the one before.', { example: null }) confirmedBy:
    string | null;
  @View.instantOrNull('When it was confirmed.', { example: null }) confirmedAt: string | null;

  @View.text('SHA-256 over the canonical JSON of what was frozen when the filing was recorded.', {
    example: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  })
  contentHash: string;
}

/** A communication without any person in it. */
export class CommunicationView {
  @View.id('com', 'The id of the communication.') id: string;

  @View.enum(kinds, 'SUSPICION: segment 41, decided in a case. CASH: segment 42, reported by itself.', {
    example: 'CASH',
  })
  kind: CommunicationKind;

  @View.enum([41, 42], 'The segment of customers.', { example: 42 }) segment: number;
  @View.enum(filingStatuses, 'The status of the communication.', { example: 'DRAFT' }) status: FilingStatus;
  @View.textOrNull('The id of the case; null for none.', { example: null }) reviewId: string | null;
  @View.idOrNull('txn', 'The id of the transaction in this service.') transactionRef: string | null;
  @View.idOrNull('cus', 'The id of the customer; null while nobody is identified.') customerId: string | null;

  @View.textOrNull('Of an operation in cash; null when no rate was known.', { example: '50000' })
  amountBrl: string | null;

  @View.instant('When the communication was decided; null before.') decidedAt: string;
  @View.instant('The end of the next day on which banks are open.') dueAt: string;
  @View.flag('Whether its time limit has run out.', { example: false }) overdue: boolean;
  @View.idOrNull('apr', 'The request for its confirmation, open or approved.', {
    example: 'apr_01999e8e7c4a7a0e8a1b2c3d4e5f6071',
  })
  approvalId: string | null;

  @View.objectOrNull(FilingView, 'When and under which number it was filed; null before.')
  filing: FilingView | null;

  static of(row: CommunicationRow, now: number): CommunicationView {
    return viewOf(CommunicationView, row, {
      segment: segments[row.kind],
      reviewId: row.reviewId && publicId('rev', row.reviewId),
      transactionRef: row.transactionRef && publicId('txn', row.transactionRef),
      customerId: row.customerId && publicId('cus', row.customerId),
      overdue: (row.status === 'DRAFT' || row.status === 'RECORDED') && row.dueAt.getTime() < now,
      approvalId: row.approvalId && publicId('apr', row.approvalId),
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
              contentHash: required(row.contentHash, 'the hash of a filed communication').toString('hex'),
            },
    });
  }
}

export class DraftProblemView implements DraftProblem {
  @View.text('The field, as the file calls it.', { example: 'CPFCNPJCom' }) field: string;

  @View.enum(draftProblemCodes, 'A stable code; a program may rely on it.', { example: 'MISSING' })
  code: DraftProblemCode;
}

export class CommunicationDetailView extends CommunicationView {
  @ApiProperty({ type: [Number], example: [1161], description: 'What it is reported for, by Siscoaf code.' })
  codes: readonly number[];

  @View.list(DraftProblemView, 'What a person must see to before filing it.')
  problems: readonly DraftProblemView[];
}

/** Returns the view of a communication with its codes and problems. */
export const communicationDetailOf = (
  row: CommunicationRow,
  now: number,
  { codes, problems }: Pick<CommunicationDetailView, 'codes' | 'problems'>,
): CommunicationDetailView =>
  Object.assign(new CommunicationDetailView(), CommunicationView.of(row, now), { codes, problems });

export class YearCountView {
  @View.enum(kinds, 'The kind of case.', { example: 'CASH' }) kind: CommunicationKind;
  @View.integer('Decided in the year, filed or not.', { example: 3 }) drafted: number;
  @View.integer('How many were filed.', { example: 3 }) filed: number;
}

export class YearView implements CommunicationYear {
  @View.integer('The year.', { example: 2026 }) year: number;
  @View.list(YearCountView, 'How many there are of each.') counts: readonly YearCountView[];
  @View.flag('Nothing was communicated: that has to be stated.', { example: false }) noOccurrence: boolean;
  @View.instant('Until when the statement of the year has to be made.') statementDueAt: string;
}
