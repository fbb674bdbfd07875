import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { INestApplicationContext } from '@nestjs/common';
import { systemActor } from '../../src/features/audit/index.js';
import {
  AT_THE_CONSOLE,
  ClientAppsService,
  ClientDirectoryService,
  ClientSecretsService,
  DEMO,
} from '../../src/features/auth/index.js';
import { baseUrlOf, type Settings } from '../../src/platform/config/index.js';
import { UnitOfWork } from '../../src/platform/database/index.js';
import type { Role } from '../../src/platform/http/index.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import { LocalAccountsService } from '../../src/features/operators/index.js';
import {
  ListImporterService,
  sampleLists,
  ScreeningListsService,
} from '../../src/features/screening/index.js';
import { FlowsService } from '../../src/features/sessions/index.js';
import { WebhookEndpointsService } from '../../src/features/webhooks/index.js';
import { withServices } from '../../src/cli/context.js';
import { freshSampleRates } from './sample-rates.js';

export interface DemoOperator {
  readonly email: string;
  readonly password: string;
  readonly role: Role;
  /** Base32, for an authenticator app, `oathtool --totp -b`, or `vigia operators login`. */
  readonly totpSecret: string;
}

/** The content of the demo credentials file: mode 0600, never written in production. */
export interface DemoCredentials {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly operators: readonly DemoOperator[];
  readonly flowKey: string | null;
  readonly signingSecret: string;
  /** The endpoint where `vigia demo` receives webhooks; disabled while the demo is not running. */
  readonly webhookEndpointId: string;
}

export interface SeededDemo {
  readonly credentialsFile: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

const { organisation: ORGANISATION, clientId: CLIENT_ID } = DEMO;
const DEMO_FLOW = 'onboarding-pf';
const ORGANISATION_NAME = 'Demo organisation';
/** The disable reason of the demo endpoint while `vigia demo` is not running. */
export const DEMO_NOT_RUNNING = 'DEMO_NOT_RUNNING';
export const DEMO_RECEIVER_PORT = 4010;

export const credentialsFile = (dataDir: string): string => join(resolve(dataDir), 'demo-credentials.json');

/** Reads the demo credentials; throws with an instruction if there are none. */
export function readDemoCredentials(dataDir: string): DemoCredentials {
  const file = credentialsFile(dataDir);
  if (!existsSync(file)) {
    throw new Error(`${file} does not exist: start Vigia with npm start first, or set DATA_DIR.`);
  }
  return JSON.parse(readFileSync(file, 'utf8')) as DemoCredentials;
}

/**
 * Creates a demo organisation with one application. Repeated calls return the existing application. If only the credentials
 * file is missing, the application gets a new secret, because the old secret is stored as a hash only.
 */
export async function seedDemo(): Promise<SeededDemo> {
  return withServices(async (services, settings) => {
    if (settings.nodeEnv === 'production') throw new Error('The demo is not seeded in production.');
    const file = credentialsFile(settings.dataDir);
    const existing = await readUsable(file, services);
    const credentials = existing ?? (await seedApplication(services, settings));
    // Credentials files of earlier releases have no operators.
    const complete = credentials.operators.length > 0;
    const all = complete ? credentials : { ...credentials, operators: await seedOperators(services) };
    if (!existing || !complete) await writePrivately(file, all);
    const organisationId = await services
      .get(ClientAppsService)
      .ensureOrganisation(ORGANISATION, ORGANISATION_NAME);
    await freshSampleRates(services, organisationId);
    return { credentialsFile: file, clientId: credentials.clientId, clientSecret: credentials.clientSecret };
  });
}

async function seedApplication(
  services: INestApplicationContext,
  settings: Settings,
): Promise<DemoCredentials> {
  const apps = services.get(ClientAppsService);
  const organisationId = await apps.ensureOrganisation(ORGANISATION, ORGANISATION_NAME);
  await services.get(RulesetsService).publish(organisationId, brStarter, 'demo-seed');
  await seedLists(services, organisationId);
  await services.get(FlowsService).ensureDefaults(organisationId);
  const created = await apps.create({
    organisationId,
    clientId: CLIENT_ID,
    name: 'demo',
    publicName: 'Loja Exemplo',
    branding: { logoUrl: null, primaryColor: '#0B5FFF' },
    scopes: [
      'kyt:ingest',
      'transactions:write',
      'kyt:read',
      'events:read',
      'requests:read',
      'sessions:read',
      'webhooks:manage',
    ],
    // High enough for demos and benchmarks.
    rateLimit: { perSecond: 20_000, burst: 40_000 },
  });
  const app = created ?? (await resetSecret(services));
  const endpoints = services.get(WebhookEndpointsService);
  const actor = { type: 'system', id: 'demo-seed' } as const;
  const { endpoint, secret: signingSecret } = await endpoints.create({
    organisationId,
    clientAppId: app.id,
    url: `http://127.0.0.1:${DEMO_RECEIVER_PORT}/webhooks`,
    actor,
  });
  await services
    .get(UnitOfWork)
    .run(organisationId, (tx) => endpoints.disable(tx, endpoint.id, DEMO_NOT_RUNNING, actor));
  return {
    baseUrl: baseUrlOf(settings),
    clientId: CLIENT_ID,
    clientSecret: app.secret,
    operators: [],
    flowKey: DEMO_FLOW,
    signingSecret,
    webhookEndpointId: endpoint.id,
  };
}

/** One operator per role, and a second officer to try approvals by two people. */
const DEMO_OPERATORS: readonly (readonly [string, Role])[] = [
  ['admin', 'ADMIN'],
  ['officer', 'COMPLIANCE_OFFICER'],
  ['officer2', 'COMPLIANCE_OFFICER'],
  ['analyst', 'ANALYST'],
  ['auditor', 'AUDITOR'],
  ['developer', 'DEVELOPER'],
];

async function seedOperators(services: INestApplicationContext): Promise<DemoOperator[]> {
  const organisationId = await services
    .get(ClientAppsService)
    .ensureOrganisation(ORGANISATION, ORGANISATION_NAME);
  const accounts = services.get(LocalAccountsService);
  return Promise.all(
    DEMO_OPERATORS.map(async ([name, role]) => {
      const email = `${name}@demo.example`;
      const person = { organisationId, email, name: `Demo ${name}`, roles: [role] };
      return { email, role, ...(await accounts.createWithCredentials(person)) };
    }),
  );
}

/** Imports fictional lists, so that screening finds something from the start. */
export async function seedLists(services: INestApplicationContext, organisationId: string): Promise<void> {
  const ctx = systemActor(organisationId, 'demo-seed');
  const importer = services.get(ListImporterService);
  for (const { list, file } of sampleLists) {
    const row = await services.get(ScreeningListsService).findOrCreate(ctx, list);
    const { id } = await importer.startImport(ctx, row, null);
    const main = Readable.from([Buffer.from(file)]);
    await importer.runImport(ctx, row, id, { main, bytesTotal: null }, { confirmation: 'NEVER' });
  }
}

async function resetSecret(services: INestApplicationContext): Promise<{ id: string; secret: string }> {
  const client = await services.get(ClientDirectoryService).find(CLIENT_ID);
  if (!client) throw new Error(`The client id ${CLIENT_ID} belongs to another environment of this database.`);
  const { id, organisationId } = client.principal;
  // Without overlap: a person with a copy of the lost file must not keep access.
  const { secret } = await services.get(ClientSecretsService).rotate(organisationId, id, 0, AT_THE_CONSOLE);
  return { id, secret };
}

/** Returns the credentials in the file; null if they belong to another database. */
async function readUsable(file: string, services: INestApplicationContext): Promise<DemoCredentials | null> {
  if (!existsSync(file)) return null;
  const stored = JSON.parse(readFileSync(file, 'utf8')) as DemoCredentials;
  const known = await services.get(ClientDirectoryService).verify(stored.clientId, stored.clientSecret);
  // A file of an earlier version may lack a field.
  return known && 'signingSecret' in stored ? stored : null;
}

async function writePrivately(file: string, credentials: DemoCredentials): Promise<void> {
  await mkdir(resolve(file, '..'), { recursive: true, mode: 0o700 });
  const draft = `${file}.new`;
  await writeFile(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}
