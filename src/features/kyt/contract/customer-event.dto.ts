import {
  customerEventTypes,
  type CustomerEventType,
} from '../../../platform/kernel/reference/customer-events.js';
import type { SubmittedEvent } from '../domain/events/customer-event.js';
import { channels } from '../domain/submission/channels.js';
import {
  MetadataField,
  OccurredAtField,
  CodeField,
  OptionalText,
  StrictSchema,
  TaxIdField,
  TransactionIdField,
  WordField,
} from './transaction-fields.js';

@StrictSchema('An event of a customer that moves no money. Fields that are not named here are refused.')
export class CustomerEventBody implements SubmittedEvent {
  @TransactionIdField('required', {
    description: 'The identifier in the integrator’s system, never reused; makes retries safe.',
    example: 'login-2026-000001',
  })
  eventId: string;

  @WordField(customerEventTypes, {
    description: 'What happened.',
    example: 'PASSWORD_CHANGED',
  })
  type: CustomerEventType;

  @OccurredAtField({
    description: 'When it occurred: RFC 3339 with seconds and offset, at most 5 minutes ahead of now.',
    example: '2026-11-20T12:30:00.000-03:00',
  })
  occurredAt: string;

  @OptionalText({
    description: 'The integrator’s identifier of its customer. This or `cpfCnpj` is needed.',
    example: 'customer-4711',
  })
  externalCustomerId?: string | null;

  @TaxIdField({
    description: 'CPF or CNPJ of the customer, as in a transaction.',
    example: '529.982.247-25',
  })
  cpfCnpj?: string | null;

  @OptionalText({ description: 'The account that it is about.', example: '0001/12345-6' })
  accountReference?: string | null;

  @OptionalText({ description: 'Identifier of the device.', example: 'dev-9f2c41' })
  deviceId?: string | null;

  @OptionalText({ description: 'Address it came from.', example: '198.51.100.24' })
  ipAddress?: string | null;

  @CodeField('optional', {
    description: `Where it was done. An open set; another value is accepted with a warning. Known: ${channels.join(', ')}.`,
    example: 'MOBILE_APP',
  })
  channel?: string | null;

  @MetadataField({ description: 'Free-form context; not part of what makes two submissions equal.' })
  metadata?: Record<string, unknown> | null;
}
