import { ClientAppsService, OrganisationSettingsService } from '../../features/auth/index.js';
import { roles, type Role } from '../../platform/http/index.js';
import {
  InvitationsService,
  LocalAccountsService,
  OperatorQueries,
  OperatorsService,
} from '../../features/operators/index.js';
import { withServices } from '../context.js';
import { findOrganisation } from '../named.js';

/** The default short name of the first organisation. */
export const FIRST_ORGANISATION = 'main';

export async function addOrganisation(key: string, name: string): Promise<void> {
  await withServices(async (services) => {
    const apps = services.get(ClientAppsService);
    const existed = (await apps.findOrganisationId(key)) !== null;
    await apps.ensureOrganisation(key, name);
    print(existed ? `organisation ${key} exists already` : `organisation ${key} made`);
  });
}

/** Declares whether one person of the organisation may both propose and approve; the result says SINGLE_CONTROL. */
export async function allowSingleControl(key: string, declared: boolean): Promise<void> {
  await withServices(async (services) => {
    const organisationId = await findOrganisation(services, key);
    await services.get(OrganisationSettingsService).setSingleControl(organisationId, declared);
    print(
      declared
        ? `organisation ${key}: one person alone may approve; the result says SINGLE_CONTROL`
        : `organisation ${key}: nobody approves alone`,
    );
  }, 'owner');
}

/** Prints the token by which the first administrator of an organisation creates an account. */
export async function printSetupToken(organisation: string): Promise<void> {
  await withServices(async (services) => {
    const organisationId = await services
      .get(ClientAppsService)
      .ensureOrganisation(organisation, organisation);
    const token = await services.get(InvitationsService).createSetupToken(organisationId);
    if (token === null) {
      throw new Error(`The organisation ${organisation} has operators already: they can invite.`);
    }
    print(setupInstruction(token));
  });
}

/** Returns the setup instruction of a first start; null once there is an operator. */
export async function firstSetupInstruction(): Promise<string | null> {
  return withServices(async (services) => {
    if (!(await services.get(OperatorQueries).hasNoOperator())) return null;
    const organisationId = await services
      .get(ClientAppsService)
      .ensureOrganisation(FIRST_ORGANISATION, FIRST_ORGANISATION);
    const token = await services.get(InvitationsService).createSetupToken(organisationId);
    return token === null ? null : setupInstruction(token);
  });
}

/** Invites a person and prints the invitation token. */
export async function inviteOperator(
  email: string,
  options: { readonly name: string; readonly role: string[]; readonly organisation: string },
): Promise<void> {
  await withServices(async (services) => {
    const organisationId = await findOrganisation(services, options.organisation);
    const token = await services.get(InvitationsService).inviteFromCommandLine(organisationId, {
      email,
      name: options.name,
      roles: options.role.map(toRole),
      login: 'PASSWORD',
    });
    print(`invitation for ${email}, good once for 72 hours (shown once): ${token}`);
    print('to be sent with a password to POST /operator/auth/invitations/accept');
  });
}

export async function disableOperator(email: string, organisation: string | undefined): Promise<void> {
  await withServices(async (services) => {
    const organisationId = organisation === undefined ? null : await findOrganisation(services, organisation);
    const returned = await services.get(OperatorsService).disableFromCommandLine(email, organisationId);
    print(
      `${email} is disabled; all sessions are ended; open cases that went back to the queue: ${returned}`,
    );
  });
}

/** Gives a locked-out operator a new password and removes their second factor. */
export async function resetOperator(email: string, organisation: string | undefined): Promise<void> {
  await withServices(async (services) => {
    const organisationId = organisation === undefined ? null : await findOrganisation(services, organisation);
    const password = await services.get(LocalAccountsService).reset(email, organisationId);
    print(`new password (shown once): ${password}`);
    print('the second factor is taken away: set up a new one with POST /operator/me/totp');
  });
}

const setupInstruction = (token: string): string =>
  `set-up token, good once for 24 hours (shown once): ${token}\n` +
  'make the first administrator: POST /operator/auth/setup {"token", "email", "name", "password"}';

function toRole(text: string): Role {
  const role = roles.find((candidate) => candidate === text.toUpperCase());
  if (!role) throw new Error(`${text} is no role; roles: ${roles.join(', ')}`);
  return role;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
