import {
  LEGACY_CURRENCY,
  LEGACY_TYPE,
  type SubmittedLegacyTransaction,
} from '../domain/submission/submission.js';
import {
  AmountField,
  StrictSchema,
  CodeField,
  CurrencyField,
  MetadataField,
  ObjectField,
  occurredAtMember,
  OptionalText,
  TaxIdField,
  TransactionIdField,
  transactionMetadata,
} from './transaction-fields.js';

@StrictSchema('The customer of a legacy transaction.')
export class LegacyCustomerBody {
  @OptionalText({ description: 'The integrator’s identifier of its customer.', example: 'customer-4711' })
  id?: string | null;

  @OptionalText({ description: 'Name of the customer.', example: 'Ana Exemplo da Silva' })
  name?: string | null;

  @TaxIdField({ description: 'CPF or CNPJ of the customer, full or masked.', example: '529.982.247-25' })
  document?: string | null;
}

@StrictSchema('A transaction in the older, simpler contract. Fields that are not named here are refused.')
export class LegacyTransactionBody implements SubmittedLegacyTransaction {
  @TransactionIdField('optional', {
    description:
      'The identifier in the integrator’s system; without it, the header Idempotency-Key is needed.',
    example: 'order-000001',
  })
  transactionId?: string | null;

  @ObjectField({ type: () => LegacyCustomerBody, description: 'Whose transaction it is; `{}` when unknown.' })
  customer: LegacyCustomerBody;

  @AmountField({
    description: 'Greater than zero, with no more decimals than the currency has.',
    example: 120.5,
    defaultCurrency: LEGACY_CURRENCY,
  })
  amount: number;

  @CurrencyField('optional', { description: 'ISO 4217 alpha-3.', default: LEGACY_CURRENCY })
  currency?: string | null;

  @CodeField('optional', {
    description: `Business type, as in the ingest contract; ${LEGACY_TYPE} without it.`,
    example: 'PIX_TRANSFER',
  })
  type?: string | null;

  @MetadataField(
    {
      description: 'Free-form context; not part of what makes two submissions equal.',
      example: { channel: 'pos' },
    },
    { ...transactionMetadata, occurredAt: occurredAtMember },
  )
  metadata?: Record<string, unknown> | null;
}
