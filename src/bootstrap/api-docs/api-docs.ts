import { assetPath, AS_JSON, buildDeveloperPages, NOT_FOUND, type ServedFile } from '#vigia/site';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { API_VERSIONS, baseUrlOf, type Settings } from '../../platform/config/index.js';
import { required, listErrors } from '../../platform/kernel/index.js';
import {
  ErrorDetailView,
  ErrorEnvelopeView,
  ErrorObjectView,
  isForIntegrators,
  OPERATOR_SCHEME,
  pathTemplate,
  RouteTable,
  type DeclaredRoute,
} from '../../platform/http/index.js';
import { errorsOfOperators, withErrors } from './openapi-errors.js';
import { filterOpenApiPaths } from './openapi-part.js';
import { inOlderOpenApi } from './openapi-older.js';
import { withHeaders, withRoutes } from './openapi-routes.js';
import { withSharedResponses } from './openapi-shared.js';
import { TAGS } from './openapi-tags.js';
import { withLimits } from './openapi-limits.js';
import { eventSchemas, openApiWebhooks, webhookModels } from '../../features/webhooks/index.js';

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
export function buildOpenApi(
  app: NestExpressApplication,
  settings: Settings,
  routes: readonly DeclaredRoute[] = routesOf(app),
): OpenAPIObject {
  const builder = baseDocument(settings, 'integrator')
    .setDescription(DESCRIPTION)
    .addApiKey({ type: 'apiKey', in: 'header', name: 'x-client-id' }, 'client-id')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'x-client-secret' }, 'client-secret')
    .build();
  // DocumentBuilder has no method for schemas, nor for the webhooks section of OpenAPI 3.1.
  const components = { ...builder.components, schemas: eventSchemas };
  const base = { ...builder, components, webhooks: openApiWebhooks(settings.serviceName) };
  return describeRoutes(withPaths(base, app), routes, isForIntegrators);
}

/** Builds the OpenAPI 3.1 document of the operator API. */
export function buildOperatorOpenApi(
  app: NestExpressApplication,
  settings: Settings,
  routes: readonly DeclaredRoute[] = routesOf(app),
): OpenAPIObject {
  const base = baseDocument(settings, 'operator')
    .setDescription(OPERATOR_DESCRIPTION + (settings.nodeEnv === 'development' ? DEMO_LOGIN.trimStart() : ''))
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, OPERATOR_SCHEME)
    .build();
  return describeRoutes(withPaths(base, app), routes, (route) => !isForIntegrators(route));
}

const scannedDocuments = new WeakMap<NestExpressApplication, OpenAPIObject>();

/** Adds the operations of all controllers, which are scanned once: that takes most of the time of a document. */
function withPaths(base: Omit<OpenAPIObject, 'paths'>, app: NestExpressApplication): OpenAPIObject {
  const scanned =
    scannedDocuments.get(app) ??
    SwaggerModule.createDocument(app, new DocumentBuilder().setOpenAPIVersion('3.1.0').build(), {
      extraModels: [...ERRORS, ...webhookModels],
      operationIdFactory: (_controller, method) => method,
    });
  scannedDocuments.set(app, scanned);
  // Each document adds texts of its own.
  const { paths, components } = structuredClone(scanned);
  const schemas = { ...base.components?.schemas, ...components?.schemas };
  return { ...base, paths, components: { ...base.components, schemas } };
}

/** Returns the document with errors, access, headers and limits added, reduced to the routes that `keep` selects. */
function describeRoutes(
  all: OpenAPIObject,
  routes: readonly DeclaredRoute[],
  keep: (route: DeclaredRoute) => boolean,
): OpenAPIObject {
  const keptPaths = new Set(routes.filter(keep).map(({ path }) => pathTemplate(path)));
  const whole = withRoutes(withErrors(all, routes), routes);
  const part = withLimits(withHeaders(filterOpenApiPaths(whole, (path) => keptPaths.has(path))));
  return { ...part, tags: tagsOf(part) };
}

function tagsOf(document: OpenAPIObject): { name: string; description: string }[] {
  const usedTags = [...Object.values(document.paths), ...Object.values(document.webhooks ?? {})].flatMap(
    (methods) =>
      [methods.get, methods.post, methods.put, methods.patch, methods.delete].flatMap(
        (one) => one?.tags ?? [],
      ),
  );
  // The order of TAGS is the order of the pages.
  return Object.entries(TAGS)
    .filter(([name]) => usedTags.includes(name))
    .map(([name, description]) => ({ name, description }));
}

const routesOf = (app: NestExpressApplication): readonly DeclaredRoute[] =>
  app.get(RouteTable, { strict: false }).routes();

/** True if /docs and the OpenAPI documents are served. By default only in development. */
export const servesDocs = ({ apiDocs, nodeEnv }: Settings): boolean =>
  apiDocs === 'on' || (apiDocs === 'development' && nodeEnv !== 'production');

/** Serves the developer pages, the OpenAPI documents and Swagger UI. */
export function mountApiDocs(app: NestExpressApplication, settings: Settings): void {
  mountDeveloperPages(app, settings);
  app.use(/^(\/operator)?\/docs\/swagger-ui-init\.js$/, withoutIndentation);
  const demo = settings.nodeEnv === 'development' ? demoCredentials(settings.dataDir) : null;
  SwaggerModule.setup('docs', app, () => buildOpenApi(app, settings), {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: `${settings.serviceName} API`,
    ...swaggerLook(),
    patchDocumentOnRequest: forSwaggerUi(withSharedResponses, (document) =>
      withFreshSample(document, new Date()),
    ),
    swaggerOptions: { ...uiOptions(settings), ...(demo ? { authAction: prefilledCredentials(demo) } : {}) },
  });
  SwaggerModule.setup('operator/docs', app, () => buildOperatorOpenApi(app, settings), {
    jsonDocumentUrl: 'operator/openapi.json',
    yamlDocumentUrl: 'operator/openapi.yaml',
    customSiteTitle: `${settings.serviceName} operator API`,
    ...swaggerLook(),
    patchDocumentOnRequest: forSwaggerUi((document) => inOlderOpenApi(withSharedResponses(document))),
    swaggerOptions: {
      ...uiOptions(settings),
      docExpansion: 'none',
      defaultModelsExpandDepth: -1,
      responseInterceptor: useAccessToken,
    },
  });
}

/** Changes the document for Swagger UI alone; the documents that programs read stay as they are. */
function forSwaggerUi(
  changeOnce: (document: OpenAPIObject) => OpenAPIObject,
  changeEach = (document: OpenAPIObject): OpenAPIObject => document,
): (request: unknown, response: unknown, document: OpenAPIObject) => OpenAPIObject {
  const smallDocuments = new WeakMap<OpenAPIObject, OpenAPIObject>();
  return (request, _response, document) => {
    if (!(request as Request).path.endsWith('/swagger-ui-init.js')) return document;
    const small = smallDocuments.get(document) ?? changeOnce(document);
    smallDocuments.set(document, small);
    return changeEach(small);
  };
}

/** Sends the document of Swagger UI without indentation, which is nearly half of its text. */
function withoutIndentation(_request: Request, response: Response, next: NextFunction): void {
  const send = response.send.bind(response);
  response.send = (body: unknown) =>
    send(typeof body === 'string' ? body.replace(/\n +/g, '\n').replace(/^("[^"\\]+"): /gm, '$1:') : body);
  next();
}

/** Styles Swagger UI like the developer pages, without its logo. */
const swaggerLook = (): object => ({
  customfavIcon: 'data:,',
  customCssUrl: assetPath('swagger.css'),
  customJs: assetPath('swagger.js'),
});

/** Content security policy of the developer pages: their own script and style sheet, and fetching their search index. */
const PAGES_POLICY = [
  ...[`default-src 'none'`, `script-src 'self'`, `style-src 'self'`, `img-src 'self' data:`],
  ...[`connect-src 'self'`, `base-uri 'none'`, `form-action 'none'`, `frame-ancestors 'none'`],
].join('; ');
const A_DAY = 86_400;

function mountDeveloperPages(app: NestExpressApplication, settings: Settings): void {
  let pages: ReadonlyMap<string, ServedFile> | undefined;
  app.use((request: Request, response: Response, next: NextFunction) => {
    const { method, path } = request;
    const isOurs =
      path === '/' || path === '/llms.txt' || path === '/docs/errors' || /^\/developers(\/|$)/.test(path);
    if (!isOurs || (method !== 'GET' && method !== 'HEAD')) {
      next();
      return;
    }
    pages ??= developerPages(app, settings);
    const isForPeople = path !== '/' || request.accepts(['json', 'html']) === 'html';
    const knownPage = pages.get(!isForPeople ? AS_JSON : path.length > 1 ? path.replace(/\/$/, '') : path);
    send(
      request,
      response,
      knownPage ?? required(pages.get(NOT_FOUND), 'the page for what is not there'),
      knownPage ? 200 : 404,
    );
  });
}

function developerPages(app: NestExpressApplication, settings: Settings): ReadonlyMap<string, ServedFile> {
  const ofOperators = errorsOfOperators(routesOf(app));
  return buildDeveloperPages(buildOpenApi(app, settings), {
    service: settings.serviceName,
    baseUrl: baseUrlOf(settings),
    // In production, health is served on another port.
    hasHealth: settings.nodeEnv !== 'production',
    errors: listErrors().map((error) => ({ ...error, isOfOperators: ofOperators.has(error.code) })),
  });
}

function send(
  request: Request,
  response: Response,
  { type, body, gzip, isFixed }: ServedFile,
  status: number,
): void {
  const zipped = request.acceptsEncodings('gzip') === 'gzip' ? gzip?.() : undefined;
  response.status(status);
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Security-Policy', PAGES_POLICY);
  response.setHeader('Cache-Control', isFixed ? `public, max-age=${365 * A_DAY}, immutable` : 'no-cache');
  response.vary('Accept, Accept-Encoding');
  if (zipped) response.setHeader('Content-Encoding', 'gzip');
  response.end(request.method === 'HEAD' ? undefined : (zipped ?? body));
}

interface SwaggerResponse {
  readonly ok: boolean;
  readonly url: string;
  readonly body?: { readonly data?: { readonly accessToken?: string } };
}

/**
 * Sets the access token after a login or refresh in Swagger UI. Its source text is copied into the page's script, so it
 * must not refer to anything in this file.
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

const uiOptions = ({ nodeEnv }: Settings): object => ({
  // Production credentials must not be stored in a browser.
  persistAuthorization: nodeEnv !== 'production',
  filter: true,
  // Deep linking puts a link inside the button that opens an operation, where the keyboard cannot reach it.
  deepLinking: false,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // By default, Swagger UI sends the document to an online validator.
  validatorUrl: null,
});

/** Returns the document with a fresh id and time in the sample submission, so that each "Try it out" is accepted. */
function withFreshSample(document: OpenAPIObject, now: Date): OpenAPIObject {
  const schemas = document.components?.schemas ?? {};
  const body = schemas['IngestTransactionBody'] as { properties: Record<string, object> } | undefined;
  if (!body) return document;
  const { transactionId, occurredAt } = body.properties;
  const properties = {
    ...body.properties,
    transactionId: { ...transactionId, example: `pix-${now.getTime().toString(36)}` },
    occurredAt: { ...occurredAt, example: now.toISOString() },
  };
  return {
    ...document,
    components: {
      ...document.components,
      schemas: { ...schemas, IngestTransactionBody: { ...body, properties } },
    },
  };
}

interface DemoCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Reads the credentials of the demo application; null if there are none. */
function demoCredentials(dataDir: string): DemoCredentials | null {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'demo-credentials.json'), 'utf8')) as DemoCredentials;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function prefilledCredentials({ clientId, clientSecret }: DemoCredentials): object {
  const header = (name: string): object => ({ type: 'apiKey', in: 'header', name });
  return {
    'client-id': { name: 'client-id', schema: header('x-client-id'), value: clientId },
    'client-secret': { name: 'client-secret', schema: header('x-client-secret'), value: clientSecret },
  };
}
