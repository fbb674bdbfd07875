import { ApiProperty } from '@nestjs/swagger';
import { publicId } from '../../kernel/index.js';
import { TaxId } from '../../kernel/tax-id.js';
import type { CustomerDetail, OpenedCustomer } from '../customer-desk.js';
import type { CustomerProfile } from '../domain/customer.js';

const instant = (at: Date | null): string | null => at?.toISOString() ?? null;
const NULLABLE_TEXT = { type: String, nullable: true } as const;
const NULLABLE_NUMBER = { type: 'number', nullable: true } as const;

/** The document as everybody may see it. */
function masked(profile: CustomerProfile | null): string | null {
  const known = profile?.document ?? profile?.documentMasked ?? null;
  const parsed = known === null ? null : TaxId.parse(known);
  return parsed?.ok === true ? parsed.id.maskedText : null;
}

export class CustomerSummaryView {
  @ApiProperty({ example: 'cus_019364d0c0de7000a000000000000001' })
  id: string;

  @ApiProperty({ ...NULLABLE_TEXT, example: 'Maria Exemplo' })
  name: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, example: '***.982.247-**' })
  documentMasked: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, example: 'customer-4711' })
  externalCustomerId: string | null;

  @ApiProperty({ enum: ['NATURAL', 'LEGAL', null], ...NULLABLE_TEXT })
  personType: string | null;

  @ApiProperty({ enum: ['DECLARED', 'DOCUMENT', 'VERIFIED'] })
  assurance: string;

  @ApiProperty({ enum: ['KYT', 'SESSION', 'OPERATOR'] })
  identifiedBy: string;

  @ApiProperty({ type: String, format: 'date-time' })
  identifiedAt: string;

  @ApiProperty({ enum: ['LOW', 'MEDIUM', 'HIGH', null], ...NULLABLE_TEXT })
  riskLevel: string | null;

  @ApiProperty({ example: false })
  legalHold: boolean;

  @ApiProperty({
    example: false,
    description: 'An erasure was asked for, and the law does not allow it yet.',
  })
  restricted: boolean;

  @ApiProperty({ example: false })
  erased: boolean;

  static of({ customer, profile }: OpenedCustomer): CustomerSummaryView {
    return {
      id: publicId('cus', customer.id),
      name: profile?.name ?? null,
      documentMasked: masked(profile),
      externalCustomerId: profile?.externalCustomerId ?? null,
      personType: customer.personType,
      assurance: customer.assurance,
      identifiedBy: customer.identifiedBy,
      identifiedAt: customer.identifiedAt.toISOString(),
      riskLevel: customer.riskLevel,
      legalHold: customer.legalHoldAt !== null,
      restricted: customer.restrictedAt !== null,
      erased: customer.erasedAt !== null,
    };
  }
}

export class DeclaredProfileView {
  @ApiProperty({ ...NULLABLE_NUMBER, example: 4_800 })
  monthlyIncome: number | null;

  @ApiProperty({ ...NULLABLE_NUMBER, example: null })
  monthlyRevenue: number | null;

  @ApiProperty({ ...NULLABLE_NUMBER, example: null })
  nightLimit: number | null;

  @ApiProperty({ ...NULLABLE_NUMBER, example: null })
  nightStartHour: number | null;

  @ApiProperty({ type: Boolean, nullable: true, example: null })
  pep: boolean | null;

  @ApiProperty({ type: String, format: 'date-time' })
  asOf: string;
}

export class CustomerDetailView extends CustomerSummaryView {
  @ApiProperty({ ...NULLABLE_TEXT, format: 'date', example: null })
  birthDate: string | null;

  @ApiProperty({ type: [String], example: [] })
  nationalities: readonly string[];

  @ApiProperty({ type: DeclaredProfileView, nullable: true })
  profile: DeclaredProfileView | null;

  @ApiProperty({ ...NULLABLE_TEXT, format: 'date', example: null })
  relationshipEndedOn: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    format: 'date',
    example: '2037-01-01',
    description:
      'The first day on which the records may be destroyed. Null while the relationship lasts, or when none ever began.',
  })
  retainUntil: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  legalHoldAt: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  erasedAt: string | null;

  @ApiProperty({
    type: [String],
    example: [],
    description: 'Records of the same person that were merged into this one; their ids answer with it.',
  })
  mergedIds: readonly string[];

  @ApiProperty({
    type: [String],
    example: ['customer-4711'],
    description: "Every id of the institution's by which the customer is found, the first one first.",
  })
  externalCustomerIds: readonly string[];

  static ofDetail(detail: CustomerDetail): CustomerDetailView {
    const { customer, profile, retention } = detail;
    return Object.assign(CustomerSummaryView.of(detail), {
      birthDate: profile?.birthDate ?? null,
      nationalities: profile?.nationalities ?? [],
      profile: profile?.declared ?? null,
      relationshipEndedOn: customer.relationshipEndedOn,
      retainUntil: retention.until,
      legalHoldAt: instant(customer.legalHoldAt),
      erasedAt: instant(customer.erasedAt),
      mergedIds: detail.mergedIds.map((id) => publicId('cus', id)),
      externalCustomerIds: detail.externalIds,
    });
  }
}

export class RevealedCustomerView {
  @ApiProperty({ example: 'cus_019364d0c0de7000a000000000000001' })
  id: string;

  @ApiProperty({ ...NULLABLE_TEXT, example: 'Maria Exemplo' })
  name: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, example: '52998224725', description: 'Without punctuation.' })
  document: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, format: 'date', example: null })
  birthDate: string | null;

  static of({ customer, profile }: CustomerDetail): RevealedCustomerView {
    return {
      id: publicId('cus', customer.id),
      name: profile?.name ?? null,
      document: profile?.document ?? null,
      birthDate: profile?.birthDate ?? null,
    };
  }
}
