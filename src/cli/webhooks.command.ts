import { ClientDirectory } from '../auth/index.js';
import { publicId, uuidOf } from '../kernel/index.js';
import { EndpointStates, WebhookEndpoints, type EndpointScope } from '../webhooks/index.js';
import { withServices } from './context.js';

/** Creates an endpoint for an application and prints the secret this once. */
export async function addWebhook(
  url: string,
  clientId: string,
  eventTypes?: readonly string[],
): Promise<void> {
  await withServices(async (services) => {
    const client = await clientOf(services.get(ClientDirectory), clientId);
    const { endpoint, secret } = await services.get(WebhookEndpoints).create({
      organisationId: client.organisationId,
      clientAppId: client.id,
      url,
      ...(eventTypes ? { eventTypes } : {}),
      actor: { type: 'operator', id: 'cli' },
    });
    process.stdout.write(
      `endpoint ${publicId('whe', endpoint.id)} for ${url}\nsigning secret (shown once): ${secret}\n`,
    );
  });
}

/** Prints the endpoints of an application. */
export async function listWebhooks(clientId: string): Promise<void> {
  await withServices(async (services) => {
    const client = await clientOf(services.get(ClientDirectory), clientId);
    const endpoints = await services.get(WebhookEndpoints).list(client.organisationId, client.id);
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

const BY = { actor: { type: 'operator', id: 'cli' } } as const;

/** Changes the state of an endpoint of an application. */
export async function changeWebhook(
  action: EndpointAction,
  endpointId: string,
  clientId: string,
  reason = 'by command line',
): Promise<void> {
  await withEndpoint(endpointId, clientId, async (states, scope, id) => {
    if (action === 'remove') await states.remove(scope, id, BY);
    else if (action === 'disable') await states.disable(scope, id, BY, reason);
    else if (action === 'pause') await states.pause(scope, id, BY, reason);
    else await states.resume(scope, id, BY);
    process.stdout.write(`${endpointId}  ${DONE[action]}\n`);
  });
}

const DONE = { disable: 'disabled', pause: 'paused', resume: 'active', remove: 'removed' } as const;

/** Gives an endpoint a new secret and prints it this once. */
export async function rotateWebhook(
  endpointId: string,
  clientId: string,
  overlapSeconds: number,
): Promise<void> {
  await withEndpoint(endpointId, clientId, async (states, scope, id) => {
    const { secret, endpoint } = await states.rotate(scope, id, overlapSeconds, BY);
    const until = endpoint.previousSecretExpiresAt?.toISOString();
    process.stdout.write(
      `new signing secret (shown once): ${secret}\n` +
        (until === undefined ? 'the old one signs no more\n' : `the old one signs as well until ${until}\n`),
    );
  });
}

async function withEndpoint(
  endpointId: string,
  clientId: string,
  work: (states: EndpointStates, scope: EndpointScope, id: string) => Promise<void>,
): Promise<void> {
  await withServices(async (services) => {
    const { id: clientAppId, organisationId } = await clientOf(services.get(ClientDirectory), clientId);
    const id = uuidOf('whe', endpointId);
    if (id === null) throw new Error(`${endpointId} is not the id of an endpoint (whe_…).`);
    await work(services.get(EndpointStates), { organisationId, clientAppId }, id);
  });
}

async function clientOf(
  directory: ClientDirectory,
  clientId: string,
): Promise<{ readonly id: string; readonly organisationId: string }> {
  const client = await directory.find(clientId);
  if (!client) throw new Error(`There is no client application ${clientId} in this environment.`);
  return client.principal;
}
