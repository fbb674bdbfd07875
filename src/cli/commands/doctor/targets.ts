import type { INestApplicationContext } from '@nestjs/common';
import type { Settings } from '../../../platform/config/index.js';
import { publicId } from '../../../platform/kernel/index.js';
import { table } from '../../../platform/kernel/table.js';
import { Mailer } from '../../../platform/mail/index.js';
import { failureCodeOf, HttpSender, targetProblems } from '../../../platform/outbound/index.js';
import { ExternalFactProvider } from '../../../features/kyt/index.js';
import { OidcLoginService } from '../../../features/operators/index.js';
import { ProviderClient, ProvidersService } from '../../../features/providers/index.js';
import { ArtifactStore, StoreFailedError } from '../../../features/uploads/index.js';
import { WebhookEndpointsService, WebhookTargets } from '../../../features/webhooks/index.js';
import { finding, type DoctorFinding, type Verdict } from './finding.js';

const MAX_ENDPOINTS = 100;
const CAUSES: Readonly<Record<string, string>> = table({
  ...targetProblems,
  ECONNREFUSED: 'nobody listens there',
  ECONNRESET: 'it closes the connection',
  EHOSTUNREACH: 'no way leads there',
  ENETUNREACH: 'no way leads there',
  ENOTFOUND: 'DNS does not know the host',
  EAI_AGAIN: 'DNS does not answer',
  EDNS: 'DNS does not know the host',
  ETIMEDOUT: 'no answer in time',
  TIMEOUT: 'no answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'no answer in time',
  OAUTH_TIMEOUT: 'no answer in time',
  PROXY_REFUSED: 'OUTBOUND_PROXY does not lead there',
  EAUTH: 'it refuses the credentials',
  EPROTO: 'it does not speak TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'nobody known has signed its certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'nobody known has signed its certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'nobody known has signed its certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'nobody known has signed its certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'what answers is no identity provider',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'its document names another issuer',
});

/** Returns the findings about the targets that the settings name. */
export async function checkSetTargets(
  services: INestApplicationContext,
  settings: Settings,
): Promise<DoctorFinding[]> {
  const { oidcIssuer, mailUrl, evidenceUrl, artifactStore, s3Endpoint } = settings;
  return [
    ...(await checkTarget('OIDC_ISSUER', oidcIssuer, () => services.get(OidcLoginService).readProvider())),
    ...(await checkTarget('MAIL_URL', mailUrl, () => services.get(Mailer).reach())),
    ...(await checkTarget('EVIDENCE_URL', evidenceUrl, () => services.get(ExternalFactProvider).reach())),
    ...(await checkTarget('S3_ENDPOINT', artifactStore === 's3' ? s3Endpoint : null, () =>
      listOnce(services.get(ArtifactStore)),
    )),
  ];
}

/** Returns the findings about the targets that an organisation has named. */
export async function checkOwnTargets(
  services: INestApplicationContext,
  settings: Settings,
  organisationId: string,
): Promise<DoctorFinding[]> {
  const client = services.get(ProviderClient);
  const providers = (await services.get(ProvidersService).list(organisationId)).filter(
    ({ enabled }) => enabled,
  );
  const endpoints = await services
    .get(WebhookEndpointsService)
    .page({ organisationId }, { status: 'ACTIVE' }, null, MAX_ENDPOINTS + 1);
  const sender = new HttpSender(services.get(WebhookTargets), {
    timeoutMs: settings.webhookTimeoutMs,
    readLimitBytes: 0,
    maxFreeSockets: 0,
  });
  const findings = await Promise.all([
    ...providers.map((one) => checkTarget(`provider ${one.name}`, one.url, () => client.reach(one))),
    ...endpoints.slice(0, MAX_ENDPOINTS).map(({ id, url }) =>
      // It belongs to somebody else, who is told by the retries.
      checkTarget(`webhook endpoint ${publicId('whe', id)}`, url, () => sender.reach(url), 'look'),
    ),
  ]);
  sender.destroy();
  const tooMany = `only the first ${MAX_ENDPOINTS} were looked at`;
  return [
    ...findings.flat(),
    ...(endpoints.length > MAX_ENDPOINTS ? [finding('webhook endpoints', false, tooMany, 'look')] : []),
  ];
}

/** Looks at one target, by its host alone: paths and credentials of a URL may be secret. `reach` rejects or gives a code. */
async function checkTarget(
  what: string,
  url: string | null,
  reach: () => Promise<unknown>,
  otherwise: Verdict = 'bad',
): Promise<DoctorFinding[]> {
  if (url === null) return [];
  const problem = await reach().then((code) => (typeof code === 'string' ? causeOf(code) : null), problemOf);
  const { host } = new URL(url);
  return [
    finding(
      what,
      problem === null,
      `${host} ${problem === null ? 'is reachable' : `is not: ${problem}`}`,
      otherwise,
    ),
  ];
}

const causeOf = (code: string): string => (code in CAUSES ? `${CAUSES[code]} (${code})` : code);

function problemOf(error: unknown): string {
  if (error instanceof StoreFailedError) {
    const { failure } = error;
    return typeof failure === 'number' ? `it answers with status ${failure}` : causeOf(failure);
  }
  // nodemailer puts a code of its own over that of the socket.
  const original = error instanceof Error && 'originalCode' in error ? error.originalCode : null;
  return causeOf(typeof original === 'string' ? original : failureCodeOf(error));
}

/** Reads the beginning of a list, which needs the bucket and the credentials. */
async function listOnce(store: ArtifactStore): Promise<void> {
  for await (const _ of store.list('')) return;
}
