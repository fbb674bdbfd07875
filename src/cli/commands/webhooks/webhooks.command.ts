import type { INestApplicationContext } from '@nestjs/common';
import { countOf, publicId, uuidOf } from '../../../platform/kernel/index.js';
import {
  EndpointStatesService,
  EndpointStatisticsService,
  eventTypes,
  RecoveriesService,
  TestEventsService,
  WebhookEndpointsService,
  type EndpointChange,
  type EndpointScope,
} from '../../../features/webhooks/index.js';
import { withServices } from '../../context.js';
import { findClientApp } from '../../named.js';

export type Ordering = NonNullable<EndpointChange['ordering']>;

const BY_OPERATOR = { actor: { type: 'operator', id: 'cli' } } as const;

/** Creates an endpoint for an application and prints its secret, only this once. */
export async function addWebhook(
  url: string,
  clientId: string,
  { events: eventTypes, ordering }: { events?: readonly string[]; ordering?: Ordering },
): Promise<void> {
  await withServices(async (services) => {
    const client = await findClientApp(services, clientId);
    const { endpoint, secret } = await services.get(WebhookEndpointsService).create({
      organisationId: client.organisationId,
      clientAppId: client.id,
      url,
      ...(eventTypes ? { eventTypes } : {}),
      ...(ordering ? { ordering } : {}),
      ...BY_OPERATOR,
    });
    process.stdout.write(
      `endpoint ${publicId('whe', endpoint.id)} for ${url}\nsigning secret (shown once): ${secret}\n`,
    );
  });
}

export async function listWebhooks(clientId: string): Promise<void> {
  await withServices(async (services) => {
    const client = await findClientApp(services, clientId);
    const endpoints = await services.get(WebhookEndpointsService).list(client.organisationId, client.id);
    for (const endpoint of endpoints) {
      const state =
        endpoint.statusReason === null ? endpoint.status : `${endpoint.status} (${endpoint.statusReason})`;
      process.stdout.write(
        `${publicId('whe', endpoint.id)}  ${state}  ${endpoint.url}  ${endpoint.eventTypes.join(',')}\n`,
      );
    }
    if (endpoints.length === 0) process.stdout.write('no endpoints\n');
  });
}

export type EndpointAction = 'disable' | 'pause' | 'resume' | 'remove';

export async function changeWebhook(
  action: EndpointAction,
  endpointId: string,
  clientId: string,
  reason = 'by command line',
): Promise<void> {
  await withEndpoint(endpointId, clientId, async (services, scope, id) => {
    const states = services.get(EndpointStatesService);
    if (action === 'remove') await states.remove(scope, id, BY_OPERATOR);
    else if (action === 'disable') await states.disable(scope, id, BY_OPERATOR, reason);
    else if (action === 'pause') await states.pause(scope, id, BY_OPERATOR, reason);
    else await states.resume(scope, id, BY_OPERATOR);
    process.stdout.write(`${endpointId}  ${DONE[action]}\n`);
  });
}

const DONE = { disable: 'disabled', pause: 'paused', resume: 'active', remove: 'removed' } as const;

/** Rotates the secret of an endpoint and prints the new secret, only this once. */
export async function rotateWebhookSecret(
  endpointId: string,
  clientId: string,
  overlapSeconds: number,
): Promise<void> {
  await withEndpoint(endpointId, clientId, async (services, scope, id) => {
    const { secret, endpoint } = await services
      .get(EndpointStatesService)
      .rotate(scope, id, overlapSeconds, BY_OPERATOR);
    const until = endpoint.olderSecretsExpireAt[0]?.toISOString();
    process.stdout.write(
      `new signing secret (shown once): ${secret}\n` +
        (until === undefined ? 'the old one signs no more\n' : `the old one signs as well until ${until}\n`),
    );
  });
}

export async function editWebhook(
  endpointId: string,
  clientId: string,
  change: EndpointChange,
): Promise<void> {
  await withEndpoint(endpointId, clientId, async (services, scope, id) => {
    const { url, eventTypes, ordering } = await services
      .get(WebhookEndpointsService)
      .change(scope, id, change, BY_OPERATOR);
    process.stdout.write(`${endpointId}  ${url}  ${eventTypes.join(',')}  ordering ${ordering}\n`);
  });
}

/** Sends a test event to an endpoint. */
export async function testWebhook(endpointId: string, clientId: string, type: string): Promise<void> {
  await withEndpoint(endpointId, clientId, async (services, scope, id) => {
    const knownEvent = eventTypes.find((one) => one === type);
    if (!knownEvent) throw new Error(`${type} is no event type; there are: ${eventTypes.join(', ')}.`);
    const testEvent = await services.get(TestEventsService).send(scope, id, knownEvent, BY_OPERATOR);
    process.stdout.write(
      `${publicId('evt', testEvent.eventId)} is on its way as ${publicId('whd', testEvent.deliveryId)}\n`,
    );
  });
}

/** Prints the delivery attempts of an endpoint per hour. */
export async function webhookStatistics(endpointId: string, clientId: string, hours: number): Promise<void> {
  await withEndpoint(endpointId, clientId, async (services, scope, id) => {
    const numbers = await services.get(EndpointStatisticsService).readStatistics(scope, id, hours);
    for (const hour of numbers.hours) {
      process.stdout.write(
        `${hour.hour.toISOString()}  ${countOf(hour.attempts, 'attempt', 'attempts')}, ${hour.delivered} delivered, ` +
          `${hour.failedAttempts} failed, ${hour.exhausted} given up, on average ${hour.averageMs ?? 0} ms\n`,
      );
    }
    const since = numbers.waitingSince === null ? '' : ` since ${numbers.waitingSince.toISOString()}`;
    process.stdout.write(`${numbers.waiting} waiting${since}\n`);
  });
}

/** Requests a recovery, which the service runs in the background. `webhooks recoveries` shows its progress. */
export async function recoverWebhook(
  endpointId: string,
  clientId: string,
  request: { readonly since: string; readonly until?: string; readonly dryRun: boolean },
): Promise<void> {
  const since = timeOf('--since', request.since);
  const until = request.until === undefined ? undefined : timeOf('--until', request.until);
  await withEndpoint(endpointId, clientId, async (services, scope, id) => {
    const started = await services
      .get(RecoveriesService)
      .start(scope, id, { since, until, dryRun: request.dryRun }, BY_OPERATOR);
    const early = started.beforeEndpoint ? '; it begins before the endpoint was made' : '';
    process.stdout.write(`recovery ${publicId('whr', started.id)} of ${endpointId} has begun${early}\n`);
  });
}

export async function listRecoveries(endpointId: string, clientId: string): Promise<void> {
  await withEndpoint(endpointId, clientId, async (services, scope, id) => {
    for (const one of await services.get(RecoveriesService).page(scope, id, null, 20)) {
      process.stdout.write(
        `${publicId('whr', one.id)}  ${one.status}  ${one.progress} %  ${one.recovered} of ${countOf(one.events, 'event', 'events')}` +
          `${one.dryRun ? '  (dry run)' : ''}\n`,
      );
    }
  });
}

function timeOf(option: string, text: string): Date {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new Error(`${option} is no time: write it as 2026-11-20T00:00:00Z.`);
  return at;
}

async function withEndpoint(
  endpointId: string,
  clientId: string,
  work: (services: INestApplicationContext, scope: EndpointScope, id: string) => Promise<void>,
): Promise<void> {
  await withServices(async (services) => {
    const { id: clientAppId, organisationId } = await findClientApp(services, clientId);
    const id = uuidOf('whe', endpointId);
    if (id === null) throw new Error(`${endpointId} is not the id of an endpoint (whe_…).`);
    await work(services, { organisationId, clientAppId }, id);
  });
}
