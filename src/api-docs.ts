import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { API_VERSIONS, type Settings } from './config/index.js';
import { errorsPage } from './errors-page.js';
import {
  ErrorDetailView,
  ErrorEnvelopeView,
  ErrorObjectView,
  isOperatorPath,
  OPERATOR_SCHEME,
  RouteTable,
  type DeclaredRoute,
} from './http/index.js';
import { withErrors } from './openapi-errors.js';
import { partOf } from './openapi-part.js';
import { openApiWebhooks, webhookModels } from './webhooks/index.js';

const DESCRIPTION = `
Risk monitoring (KYT): submit a transaction, get an acknowledgement that is never lost, and hear by signed webhook what
became of it.

* **A 202 is sent after the commit.** Sending the same \`transactionId\` again is safe: 200 with \`duplicate: true\`.
* **A missing input is never a zero.** A score that cannot be defended says so: \`defensible: false\`.
* Enumerations are open: new values may appear in any of them, and new fields in any answer.
* Optional on every request: \`x-request-id\`, \`x-correlation-id\`, \`traceparent\`, \`X-API-Version\`
  (${API_VERSIONS.join(', ')}). The identifiers come back on every answer.
* Errors are explained at [/docs/errors](/docs/errors).
`;

const OPERATOR_DESCRIPTION = `
For the people who run the service and decide: client applications, operators, webhooks, transactions, rules, lists,
reviews, audit.

* **Log in** with \`POST /operator/auth/login\` below; this page then uses the access token by itself. It is good for
  ten minutes; \`POST /operator/auth/refresh\` gives the next one.
* Decisions, exports, secrets, publishing and repairs need a login with a second factor.
* Lists are paged: send \`page.nextCursor\` as \`cursor\` for what follows.
* What belongs to another organisation is answered like what never existed.
* Errors are explained at [/docs/errors](/docs/errors). The integrators' API is at [/docs](/docs).
`;

const DEMO_LOGIN = `
* This is a development installation: \`npm run vigia -- operators login officer\` prints the access token of a demo
  operator, which goes into **Authorize**.
`;

const ERRORS = [ErrorEnvelopeView, ErrorObjectView, ErrorDetailView];

const baseDocument = (settings: Settings, name: string): DocumentBuilder =>
  new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(`${settings.serviceName} ${name} API`)
    .setVersion(API_VERSIONS[0])
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer(settings.publicUrl ?? '/', settings.environment);

/** Builds the OpenAPI 3.1 document of the integrator API. */
export function apiDocument(app: NestExpressApplication, settings: Settings): OpenAPIObject {
  const builder = baseDocument(settings, 'integrator')
    .setDescription(DESCRIPTION)
    .addTag('KYT', 'Submit transactions and read their results.')
    .addTag('Client applications')
    .addTag('Health')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'x-client-id' }, 'client-id')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'x-client-secret' }, 'client-secret')
    .build();
  // A 3.1 document has a section of its own for what the service calls; the builder has no word for it.
  const base = { ...builder, webhooks: openApiWebhooks(settings.serviceName) } as Omit<
    OpenAPIObject,
    'paths'
  >;
  const all = SwaggerModule.createDocument(app, base, {
    extraModels: [...ERRORS, ...webhookModels],
    operationIdFactory: (_controller, method) => method,
  });
  return partOf(withErrors(all, routesOf(app)), (path) => !isOperatorPath(path));
}

/** Builds the OpenAPI 3.1 document of the operator API. */
export function operatorDocument(app: NestExpressApplication, settings: Settings): OpenAPIObject {
  const base = baseDocument(settings, 'operator')
    .setDescription(OPERATOR_DESCRIPTION + (settings.nodeEnv === 'development' ? DEMO_LOGIN.trimStart() : ''))
    .addTag('Login', 'Gets an access token, which this page then uses.')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, OPERATOR_SCHEME)
    .build();
  const all = SwaggerModule.createDocument(app, base, {
    extraModels: ERRORS,
    operationIdFactory: (_controller, method) => method,
  });
  return partOf(withErrors(all, routesOf(app)), isOperatorPath);
}

const routesOf = (app: NestExpressApplication): readonly DeclaredRoute[] =>
  app.get(RouteTable, { strict: false }).routes();

/** Serves the document, Swagger UI and the page that explains the errors. */
export function mountApiDocs(app: NestExpressApplication, settings: Settings): void {
  const page = errorsPage(settings.serviceName);
  app.use('/docs/errors', (_request: Request, response: Response) => {
    response.type('html').send(page);
  });
  const demo = settings.nodeEnv === 'development' ? demoCredentials(settings.dataDir) : null;
  SwaggerModule.setup('docs', app, () => apiDocument(app, settings), {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: `${settings.serviceName} API`,
    swaggerOptions: { ...SWAGGER_OPTIONS, ...(demo ? { authAction: prefilled(demo) } : {}) },
  });
  SwaggerModule.setup('operator/docs', app, () => operatorDocument(app, settings), {
    jsonDocumentUrl: 'operator/openapi.json',
    yamlDocumentUrl: 'operator/openapi.yaml',
    customSiteTitle: `${settings.serviceName} operator API`,
    swaggerOptions: { ...SWAGGER_OPTIONS, responseInterceptor: useAccessToken },
  });
}

interface SwaggerResponse {
  readonly ok: boolean;
  readonly url: string;
  readonly body?: { readonly data?: { readonly accessToken?: string } };
}

/**
 * Runs in the page, so it can use nothing from here: whoever logs in or refreshes there need not copy the token.
 * Swagger UI writes the function's text into its script.
 */
function useAccessToken(response: SwaggerResponse): SwaggerResponse {
  const token = response.body?.data?.accessToken;
  const { ui } = globalThis as unknown as {
    ui?: { preauthorizeApiKey(scheme: string, value: string): void };
  };
  if (response.ok && token && /\/operator\/auth\/(login|refresh)$/.test(response.url)) {
    ui?.preauthorizeApiKey('operator-token', token);
  }
  return response;
}

const SWAGGER_OPTIONS = {
  persistAuthorization: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // The bundle would send the document to a validator on the internet.
  validatorUrl: null,
};

interface DemoCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The credentials of the seeded demo application; only a development start has them. */
function demoCredentials(dataDir: string): DemoCredentials | null {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'demo-credentials.json'), 'utf8')) as DemoCredentials;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function prefilled({ clientId, clientSecret }: DemoCredentials): object {
  const header = (name: string): object => ({ type: 'apiKey', in: 'header', name });
  return {
    'client-id': { name: 'client-id', schema: header('x-client-id'), value: clientId },
    'client-secret': { name: 'client-secret', schema: header('x-client-secret'), value: clientSecret },
  };
}
