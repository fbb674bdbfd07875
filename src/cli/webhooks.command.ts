import { ClientDirectory } from '../auth/index.js';
import { WebhookEndpoints } from '../webhooks/index.js';
import { publicId } from '../kernel/index.js';
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

async function clientOf(
  directory: ClientDirectory,
  clientId: string,
): Promise<{ readonly id: string; readonly organisationId: string }> {
  const client = await directory.find(clientId);
  if (!client) throw new Error(`There is no client application ${clientId} in this environment.`);
  return client.principal;
}
