import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { API_VERSIONS, type Settings } from './config/index.js';
import { errorsPage } from './errors-page.js';
import { ErrorDetailView, ErrorEnvelopeView, ErrorObjectView } from './http/index.js';
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

/** Builds the OpenAPI 3.1 document of the integrator API. */
export function apiDocument(app: NestExpressApplication, settings: Settings): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(`${settings.serviceName} integrator API`)
    .setVersion(API_VERSIONS[0])
    .setDescription(DESCRIPTION)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer(settings.publicUrl ?? '/', settings.environment)
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
  return SwaggerModule.createDocument(app, base, {
    extraModels: [ErrorEnvelopeView, ErrorObjectView, ErrorDetailView, ...webhookModels],
    operationIdFactory: (_controller, method) => method,
  });
}

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
    swaggerOptions: {
      persistAuthorization: true,
      tryItOutEnabled: true,
      displayRequestDuration: true,
      // The bundle would send the document to a validator on the internet.
      validatorUrl: null,
      ...(demo ? { authAction: prefilled(demo) } : {}),
    },
  });
}

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
