import { channels } from '../domain/submission/channels.js';
import { MAX_PEOPLE, peopleRoles, type PersonRole } from '../domain/submission/people.js';
import { transactionTypes } from '../../../platform/kernel/reference/transaction-types.js';
import {
  AmountField,
  BirthDateField,
  StrictSchema,
  CodeField,
  CountryField,
  CurrencyField,
  ListField,
  MetadataField,
  NameField,
  ObjectField,
  OccurredAtField,
  OptionalText,
  TaxIdField,
  TransactionIdField,
  transactionMetadata,
  WordField,
} from './transaction-fields.js';
import type {
  SubmittedPerson,
  SubmittedParticipant,
  SubmittedTransaction,
} from '../domain/submission/submission.js';

const openSet = (meaning: string, known: readonly string[]): string =>
  `${meaning} An open set; another value is accepted with a warning. Known: ${known.join(', ')}.`;

@StrictSchema('Somebody behind a participant.')
export class PersonBehindBody implements SubmittedPerson {
  @WordField(peopleRoles, { description: 'Beneficial owner or representative.', example: 'OWNER' })
  role: PersonRole;

  @NameField({ description: 'Name of the person or organisation.', example: 'Bruno Exemplo' })
  name: string;

  @TaxIdField({ description: 'CPF or CNPJ, full or masked.', example: '529.982.247-25' })
  cpfCnpj?: string | null;

  @BirthDateField({ description: 'Date of birth.', example: '1980-05-17' }) birthDate?: string | null;

  @CountryField({ description: 'Nationality, ISO 3166-1 alpha-2.' }) nationality?: string | null;
}

@StrictSchema('One side of a transaction, as far as it is known; an empty object says that nothing is.')
export class ParticipantBody implements SubmittedParticipant {
  @OptionalText({ description: 'Name of the person or organisation.', example: 'Ana Exemplo da Silva' })
  name?: string | null;

  @TaxIdField({ description: 'CPF or CNPJ, full or masked.', example: '***.456.789-**' })
  cpfCnpj?: string | null;

  @OptionalText({ description: 'Account, in the form the integrator uses.', example: '0001/12345-6' })
  accountReference?: string | null;

  @OptionalText({ description: 'Bank, for example its ISPB or BIC.', example: '00000000' })
  bankReference?: string | null;

  @OptionalText({ description: 'Wallet or address of a virtual asset.', example: 'wallet-0001' })
  walletReference?: string | null;

  @CountryField({ description: 'Country, ISO 3166-1 alpha-2.' }) country?: string | null;

  @ListField({
    type: PersonBehindBody,
    maxItems: MAX_PEOPLE,
    description: 'Beneficial owners and representatives; each is screened against the lists.',
  })
  people?: PersonBehindBody[] | null;

  @MetadataField({ description: 'Free-form context of this participant.' })
  metadata?: Record<string, unknown> | null;
}

@StrictSchema('A transaction submitted for monitoring. Fields that are not named here are refused.')
export class IngestTransactionBody implements SubmittedTransaction {
  @TransactionIdField('required', {
    description: 'The identifier in the integrator’s system, never reused; makes retries safe.',
    example: 'pix-2026-000001',
  })
  transactionId: string;

  @OptionalText({ description: 'The integrator’s identifier of its customer.', example: 'customer-4711' })
  externalCustomerId?: string | null;

  @TaxIdField({
    description:
      'CPF or CNPJ of the customer, with or without punctuation, including the alphanumeric CNPJ. A masked value is ' +
      'kept as masked and makes the identity incomplete.',
    example: '529.982.247-25',
  })
  cpfCnpj?: string | null;

  @CodeField('required', {
    description: openSet('Business type.', Object.keys(transactionTypes)),
    example: 'PIX_TRANSFER',
  })
  type: string;

  @CodeField('required', {
    description: openSet('Where the transaction was ordered.', channels),
    example: 'MOBILE_APP',
  })
  channel: string;

  @AmountField({
    description: 'Greater than zero, with no more decimals than the currency has.',
    example: 850.75,
  })
  amount: number;

  @CurrencyField('required', { description: 'ISO 4217 alpha-3.' }) currency: string;

  @OccurredAtField({
    description:
      'When it occurred: RFC 3339 with seconds and offset, at most 5 minutes ahead of now. Older than 45 days is ' +
      'accepted with the warning LATE_FOR_SELECTION.',
    example: '2026-11-20T12:34:56.789-03:00',
  })
  occurredAt: string;

  @ObjectField({
    type: () => ParticipantBody,
    description: 'Where the money comes from; `{}` when unknown.',
    example: { name: 'Ana Exemplo', accountReference: '0001/12345-6', country: 'BR' },
  })
  origin: ParticipantBody;

  @ObjectField({
    type: () => ParticipantBody,
    description: 'Where the money goes to; `{}` when unknown.',
    example: { name: 'Loja Exemplo', cpfCnpj: '12.345.678/0001-95', country: 'BR' },
  })
  destination: ParticipantBody;

  @MetadataField(
    {
      description: 'Free-form context; not part of what makes two submissions equal.',
      example: {
        ...{ direction: 'OUT', deviceId: 'dev-9f2c41', deviceRegistered: true, ipAddress: '198.51.100.24' },
        dict: {
          statistics: { KEY: { CONFIRMED_FRAUDS: { d30: 0 }, REPORTED_FRAUDS: { d30: 0 } } },
        },
      },
    },
    transactionMetadata,
  )
  metadata?: Record<string, unknown> | null;
}
