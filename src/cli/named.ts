import type { INestApplicationContext } from '@nestjs/common';
import { ClientAppsService, ClientDirectoryService } from '../features/auth/index.js';
import { TransactionQueries } from '../features/kyt/index.js';

/** An application or transaction that a command argument names. */
export interface NamedObject {
  readonly id: string;
  readonly organisationId: string;
}

/** Returns the id of the organisation with this short name; throws with an instruction if there is none. */
export async function findOrganisation(services: INestApplicationContext, key: string): Promise<string> {
  const id = await services.get(ClientAppsService).findOrganisationId(key);
  if (id !== null) return id;
  throw new Error(
    `There is no organisation ${key}. Name yours with --organisation, or make this one: organisations add ${key}`,
  );
}

/** Returns the client application with this id in this environment. */
export async function findClientApp(
  services: INestApplicationContext,
  clientId: string,
): Promise<NamedObject> {
  const client = await services.get(ClientDirectoryService).find(clientId);
  if (client) return client.principal;
  throw new Error(
    `There is no client application ${clientId} in this environment. Those of an organisation: apps list --organisation KEY`,
  );
}

/** Returns the transaction that an application submitted under this id. */
export async function findTransaction(
  services: INestApplicationContext,
  transactionId: string,
  clientId: string,
): Promise<NamedObject> {
  const client = await findClientApp(services, clientId);
  const record = await services.get(TransactionQueries).findOwn(client, transactionId);
  if (record) return { id: record.id, organisationId: client.organisationId };
  throw new Error(
    `The application ${clientId} has sent no transaction ${transactionId}; --client names another one.`,
  );
}
