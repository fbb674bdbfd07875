import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { View } from '../../../platform/http/index.js';
import { events, eventTypes, type EventType } from '../events.dto.js';

/** The fields of a signed checkpoint of the audit log (c2sp.org/tlog-checkpoint). */
export class AuditCheckpointView {
  @View.text('The name of the log.', { example: 'vigia/sandbox/t/01999e8e-7c4a-7a0e-8a1b-2c3d4e5f6071/i/1' })
  origin: string;
  @View.integer('Number of entries in the log.', { minimum: 0, example: 4711 }) size: number;

  @View.text('Root of the Merkle tree over them, base64.', {
    example: 'qqIDzZ7Hn2qZmF0gYQGGGQv8bXz4NqkXnUQX2b3r1dQ=',
  })
  root: string;

  @View.instant('When it was signed.', { example: '2026-11-20T12:00:01.000Z' }) signedAt: string;

  @View.text(
    'Base64 of four bytes of key hash and the Ed25519 signature over the lines origin, size, root and ' +
      '`time <signedAt>`, each with its newline.',
    {
      example: 'x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=',
    },
  )
  signature: string;
}

/** The envelope of every event. The signature covers the exact bytes of the request body. */
export class WebhookEnvelope {
  @View.id(
    'evt',
    'Stable over retries and replays, and equal to the header webhook-id: process each id once.',
    { example: 'evt_01999e8e7c5b7d0f9a3c5f2d1b4e6a80' },
  )
  id: string;

  @View.enum(eventTypes, 'The type of the event.') type: EventType;
  @View.instant('When it happened.', { example: '2026-11-20T12:00:01.254Z' }) timestamp: string;
  @View.text('The version of the interface in which it is written.', { example: '2026-11-01' })
  apiVersion: string;
  @View.text('The environment that sent it.', { example: 'sandbox' }) environment: string;

  @View.integer(
    'Grows per resource. Order is not guaranteed: drop an event that is older than the last one seen.',
    { minimum: 1, example: 2 },
  )
  sequence: number;

  @View.text('Ties together what belongs together; yours, if you sent one.', {
    example: '5f0c2a4e-2f0b-4d7e-9a55-0b7f0f9c2a11',
  })
  correlationId: string;

  @View.flag('True for an event that an operator sent to try the endpoint.', { example: false })
  test: boolean;

  @ApiProperty({
    type: () => AuditCheckpointView,
    nullable: true,
    description:
      'The newest signed checkpoint of the audit log when the event was made; null before the first. Keep it: with it ' +
      'you can prove later that the log was not shortened or rewritten.',
  })
  audit: AuditCheckpointView | null;

  @View.json('What happened; its members depend on `type`.') data: Record<string, unknown>;
}

const schemaName = (type: EventType): string => events[type].data.name.replace(/Data$/, 'Event');

/** The schemas of the event types, keyed by their name in the OpenAPI document. */
export const eventSchemas = Object.fromEntries(
  eventTypes.map((type) => [
    schemaName(type),
    {
      description: events[type].summary,
      allOf: [
        { $ref: getSchemaPath(WebhookEnvelope) },
        {
          type: 'object',
          required: ['type', 'data'],
          properties: {
            type: { type: 'string', enum: [type], description: 'The type of the event.' },
            data: { $ref: getSchemaPath(events[type].data), description: 'What happened.' },
          },
        },
      ],
    },
  ]),
);

export const eventSchemaPath = (type: EventType): string => getSchemaPath(schemaName(type));

export const ANY_EVENT = {
  oneOf: eventTypes.map((type) => ({ $ref: eventSchemaPath(type) })),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(eventTypes.map((type) => [type, eventSchemaPath(type)])),
  },
};
