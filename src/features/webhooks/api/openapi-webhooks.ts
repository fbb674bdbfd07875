import type { OpenAPIObject } from '@nestjs/swagger';
import { CURRENT_API_VERSION } from '../../../platform/config/index.js';
import { eventSchemaPath, WebhookEnvelope } from './webhook-envelope.dto.js';
import { events, eventTypes, EXAMPLE_CORRELATION, type EventType } from '../events.dto.js';

// @nestjs/swagger exports the type of the document but not the types of its parts.
type Webhooks = NonNullable<OpenAPIObject['webhooks']>;
type Operation = NonNullable<Webhooks[string]['post']>;
type Parameter = NonNullable<Operation['parameters']>[number];

/** The schemas that the webhooks refer to, for `extraModels`. */
export const webhookModels = [WebhookEnvelope, ...Object.values(events).map(({ data }) => data)];

const DESCRIPTION = `
At least once, in no guaranteed order: process each \`id\` once and drop what has an older \`sequence\`. Answer 2xx within
15 seconds; anything else is tried again for three days, 410 ends the endpoint, redirects are not followed. Verify the
signature over the raw bytes before parsing them: the \`X-…-Signature\` header, or the \`webhook-*\` headers with any
Standard Webhooks library.
`.trim();

/** The `webhooks` section of an OpenAPI 3.1 document: the requests that the service sends to integrators. */
export function openApiWebhooks(serviceName: string): Webhooks {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: operationOf(type, serviceName) }]));
}

function operationOf(type: EventType, serviceName: string): Operation {
  const { summary } = events[type];
  return {
    operationId: `on:${type}`,
    tags: ['Webhooks'],
    summary,
    description: DESCRIPTION,
    // Webhooks are signed, not authorised: the security schemes of the document do not apply.
    security: [],
    parameters: headersOf(serviceName),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: eventSchemaPath(type) },
          example: exampleEnvelope(type),
        },
      },
    },
    responses: {
      '2XX': { description: 'Received. The body is not looked at.' },
      '410': { description: 'Gone: the endpoint is disabled and nothing more is sent to it.' },
      default: { description: 'Tried again later; `Retry-After` is honoured up to six hours.' },
    },
  };
}

function headersOf(serviceName: string): Parameter[] {
  const header = (name: string, description: string, example: string, required = true): Parameter => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string' },
    example,
  });
  const mac = '5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd';
  return [
    header(
      `X-${serviceName}-Signature`,
      'HMAC-SHA256 of the raw body under the secret as shown, in hex. Several, comma-separated, while a secret rotates.',
      `sha256=${mac}`,
    ),
    header(`X-${serviceName}-Event`, 'The event type.', 'session.completed'),
    header(
      `X-${serviceName}-Delivery`,
      'The delivery: one event to one endpoint.',
      'whd_01999e8e7c5b7d0f9a3c5f2d1b4e6a77',
    ),
    header(`X-${serviceName}-Attempt`, 'Counts the attempts of the delivery from 1.', '1'),
    header('webhook-id', 'The id of the event.', 'evt_01999e8e7c5b7d0f9a3c5f2d1b4e6a80'),
    header('webhook-timestamp', 'When this attempt was signed, in seconds since 1970.', '1795176001'),
    header(
      'webhook-signature',
      'Standard Webhooks signature.',
      'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    ),
    header(
      'traceparent',
      'W3C trace context of the request that led to the event, if it had one.',
      '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      false,
    ),
  ];
}

const exampleEnvelope = (type: EventType): object => ({
  id: 'evt_01999e8e7c5b7d0f9a3c5f2d1b4e6a80',
  type,
  timestamp: '2026-11-20T12:00:01.254Z',
  apiVersion: CURRENT_API_VERSION,
  environment: 'sandbox',
  sequence: 2,
  correlationId: EXAMPLE_CORRELATION,
  test: false,
  audit: null,
  data: events[type].example,
});
