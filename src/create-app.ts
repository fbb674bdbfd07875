import type { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import { mountApiDocs } from './api-docs.js';
import { AppModule } from './app.module.js';
import { Settings } from './config/index.js';
import { answerBrokenRequests, contextMiddleware, HttpMetrics, requireHttps } from './http/index.js';
import { StructuredLogger } from './telemetry/index.js';

/** Builds the application: the one way for main, the launcher, the command line and every end-to-end test. */
export async function createApp(
  settings: Settings,
  logger = new StructuredLogger({
    level: settings.logLevel,
    file: settings.logFile,
    name: settings.serviceName,
    role: settings.role,
  }),
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(settings, logger), {
    logger,
    // Bodies are read by our own guard: after access, with limits, from the raw bytes.
    bodyParser: false,
    abortOnError: false,
  });
  configure(app, settings, logger);
  return app;
}

/** Everything about the application that is not a module. */
export function configure(app: NestExpressApplication, settings: Settings, logger: StructuredLogger): void {
  app.disable('x-powered-by');
  // A hash of every answer that nobody asks for; answers are not cacheable anyway.
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', settings.trustProxy.length > 0 ? [...settings.trustProxy] : false);
  app.use(contextMiddleware(logger, app.get(HttpMetrics)));
  app.use(securityHeaders(settings));
  if (settings.nodeEnv === 'production') app.use(requireHttps);
  mountApiDocs(app, settings);
  const server = app.getHttpServer() as Server;
  // Slow senders hold a socket, not the service; the limits are Node's own, made shorter.
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  server.keepAliveTimeout = 65_000;
  server.on('clientError', answerBrokenRequests);
}

function securityHeaders(settings: Settings): ReturnType<typeof helmet> {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': [`'self'`],
        'base-uri': [`'none'`],
        'frame-ancestors': [`'none'`],
        'form-action': [`'self'`],
        'object-src': [`'none'`],
        'img-src': [`'self'`, 'data:'],
        // Swagger UI sets style attributes on the elements it draws.
        'style-src': [`'self'`, `'unsafe-inline'`],
      },
    },
    strictTransportSecurity:
      settings.nodeEnv === 'production' ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'no-referrer' },
  });
}
