import { View, viewOf } from '../../../platform/http/index.js';
import { pick, publicId } from '../../../platform/kernel/index.js';
import { instantText } from '../../../platform/kernel/values/instant.js';
import type { CustomerDetail, DecryptedCustomer } from '../records/customer-records.service.js';
import type { DeclaredProfile } from '../domain/customer.js';
import { unconfirmedValues } from '../domain/confirmation.js';
import { maskedDocument, maskedEmail, maskedPhone } from '../domain/masking.js';

export class CustomerSummaryView {
  @View.id('cus', 'The id of the customer.') id: string;
  @View.textOrNull('The name of the customer.', { example: 'Maria Exemplo' }) name: string | null;
  @View.textOrNull('The CPF or CNPJ, masked.', { example: '***.982.247-**' }) documentMasked: string | null;
  @View.textOrNull('Your id of the customer.', { example: 'customer-4711' })
  externalCustomerId: string | null;
  @View.enumOrNull(['NATURAL', 'LEGAL'], 'A natural or a legal person.') personType: string | null;
  @View.enum(['DECLARED', 'DOCUMENT', 'VERIFIED'], 'How sure it is that this is the person.')
  assurance: string;
  @View.enum(['KYT', 'SESSION', 'OPERATOR'], 'What identified the customer.') identifiedBy: string;
  @View.instant('When it became known whose record this is.') identifiedAt: string;
  @View.enumOrNull(['LOW', 'MEDIUM', 'HIGH'], 'The level of risk of the customer.') riskLevel: string | null;
  @View.flag('Whether the records have to be kept.', { example: false }) legalHold: boolean;

  @View.flag('An erasure was asked for, and the law does not allow it yet.', { example: false })
  restricted: boolean;

  @View.flag('Whether the data of the person was erased.', { example: false }) erased: boolean;

  static of({ customer, profile }: DecryptedCustomer): CustomerSummaryView {
    return {
      id: publicId('cus', customer.id),
      name: profile?.name ?? null,
      documentMasked: maskedDocument(profile),
      externalCustomerId: profile?.externalCustomerId ?? null,
      ...pick(customer, 'personType', 'assurance', 'identifiedBy'),
      identifiedAt: customer.identifiedAt.toISOString(),
      riskLevel: customer.riskLevel,
      legalHold: customer.legalHoldAt !== null,
      restricted: customer.restrictedAt !== null,
      erased: customer.erasedAt !== null,
    };
  }
}

export class StatementView {
  @View.text('The member of the profile.', { example: 'monthlyIncome' }) field: string;
  @View.enum(['SESSION', 'OPERATOR', 'CLIENT', 'UPLOAD'], 'Who or what decided it.') by: string;
  @View.idOrNull('kys', 'The session or the import; null for a change by hand.') ref: string | null;

  @View.instant('As of when it holds.') at: string;
  @View.flag('Whether one person alone approved it, or the application that says it.', { example: false })
  singleControl: boolean;
  @View.flag('Whether one operator alone wrote it down, so that it counts for no better result.', {
    example: false,
  })
  unconfirmed: boolean;
}

export class DeclaredProfileView {
  @View.numberOrNull('The income of a month.', { example: 4_800 }) monthlyIncome: number | null;
  @View.numberOrNull('The revenue of a month.', { example: null }) monthlyRevenue: number | null;
  @View.numberOrNull('The most that the customer may send at night.', { example: null }) nightLimit:
    number | null;
  @View.numberOrNull('The hour at which the night of the customer begins.', { example: null })
  nightStartHour: number | null;
  @View.flagOrNull('Whether the person is politically exposed.', { example: null }) pep: boolean | null;
  @View.textOrNull('The occupation.', { example: 'Nurse' }) occupation: string | null;
  @View.textOrNull('The segment of customers.', { example: 'RETAIL' }) segment: string | null;
  @View.textOrNull('The day since which there is a relation to the institution.', {
    format: 'date',
    example: null,
  })
  relationshipSince: string | null;
  @View.textOrNull('The public office that was declared.', { example: null }) pepOffice: string | null;
  @View.textOrNull('How the person is related to one who is politically exposed.', { example: null })
  pepRelation: string | null;
  @View.textOrNull('Masked; in full in `reveal`.', { example: 'm***@example.com' }) email: string | null;
  @View.textOrNull('Masked; in full in `reveal`.', { example: '***4321' }) phone: string | null;
  @View.instant('The instant for which it holds.') asOf: string;

  @View.list(StatementView, 'Who said what, and when.') statements: readonly StatementView[];

  static of(declared: DeclaredProfile): DeclaredProfileView {
    return viewOf(DeclaredProfileView, declared, {
      occupation: declared.occupation ?? null,
      segment: declared.segment ?? null,
      relationshipSince: declared.relationshipSince ?? null,
      pepOffice: declared.pepOffice ?? null,
      pepRelation: declared.pepRelation ?? null,
      email: maskedEmail(declared.email ?? null),
      phone: maskedPhone(declared.phone ?? null),
      statements: Object.entries(declared.from ?? {}).map(([field, said]) => ({
        ...{ field, ...pick(said, 'by', 'ref', 'at') },
        singleControl: said.singleControl === true,
        unconfirmed: said.unconfirmed !== undefined,
      })),
    });
  }
}

export class CustomerDetailView extends CustomerSummaryView {
  @View.textOrNull('The date of birth, as `YYYY-MM-DD`.', { format: 'date', example: null }) birthDate:
    string | null;
  @View.texts('The nationalities, ISO 3166 alpha-2.', { example: [] }) nationalities: readonly string[];
  @View.objectOrNull(DeclaredProfileView, 'What is declared of the customer.')
  profile: DeclaredProfileView | null;
  @View.texts('What one operator alone wrote down, until a second person confirms it.', {
    example: ['monthlyIncome'],
  })
  unconfirmed: readonly string[];

  @View.textOrNull('The day on which the relation to the institution ended.', {
    format: 'date',
    example: null,
  })
  relationshipEndedOn: string | null;

  @View.textOrNull(
    'The first day on which the records may be destroyed. Null while the relationship lasts, or when none ever began.',
    { format: 'date', example: '2037-01-01' },
  )
  retainUntil: string | null;

  @View.instantOrNull('Since when the records are kept whatever anybody asks.') legalHoldAt: string | null;
  @View.instantOrNull('When the data of the person was erased.') erasedAt: string | null;

  @View.texts('Records of the same person that were merged into this one; their ids answer with it.', {
    example: [],
  })
  mergedIds: readonly string[];

  @View.texts("Every id of the institution's by which the customer is found, the first one first.", {
    example: ['customer-4711'],
  })
  externalCustomerIds: readonly string[];

  static ofDetail(detail: CustomerDetail): CustomerDetailView {
    const { customer, profile, retention } = detail;
    return Object.assign(CustomerSummaryView.of(detail), {
      birthDate: profile?.birthDate ?? null,
      nationalities: profile?.nationalities ?? [],
      profile: profile?.declared ? DeclaredProfileView.of(profile.declared) : null,
      unconfirmed: unconfirmedValues(profile, customer),
      relationshipEndedOn: customer.relationshipEndedOn,
      retainUntil: retention.until,
      legalHoldAt: instantText(customer.legalHoldAt),
      erasedAt: instantText(customer.erasedAt),
      mergedIds: detail.mergedIds.map((id) => publicId('cus', id)),
      externalCustomerIds: detail.externalIds,
    });
  }
}

export class RevealedCustomerView {
  @View.id('cus', 'The id of the customer.') id: string;
  @View.textOrNull('The name of the customer.', { example: 'Maria Exemplo' }) name: string | null;
  @View.textOrNull('Without punctuation.', { example: '52998224725' }) document: string | null;
  @View.textOrNull('The date of birth, as `YYYY-MM-DD`.', { format: 'date', example: null }) birthDate:
    string | null;
  @View.textOrNull('The address for mail, with which the operator logs in.', { example: 'maria@example.com' })
  email: string | null;
  @View.textOrNull('The telephone number.', { example: '+55 11 98765-4321' }) phone: string | null;

  static of({ customer, profile }: CustomerDetail): RevealedCustomerView {
    return {
      id: publicId('cus', customer.id),
      name: profile?.name ?? null,
      document: profile?.document ?? null,
      birthDate: profile?.birthDate ?? null,
      email: profile?.declared?.email ?? null,
      phone: profile?.declared?.phone ?? null,
    };
  }
}
