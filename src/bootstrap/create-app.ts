import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import { mountApiDocs, servesDocs } from './api-docs/index.js';
import { AppModule } from '../app.module.js';
import { baseUrlOf, type Settings } from '../platform/config/index.js';
import {
  arrivedByTls,
  brokenRequestAnswerer,
  contextMiddleware,
  CrossOrigin,
  fixedHeadersOf,
  readForwardedFor,
  requireHttps,
  RequestRecorder,
  validationPipe,
} from '../platform/http/index.js';
import { hasProbePort, requireProbePort } from './probes.js';
import { followCertificates, serverOptions } from './tls.js';
import { IngestLane } from '../features/kyt/index.js';
import { StructuredLogger } from '../platform/telemetry/index.js';

/** Builds the application. Used by main, the launcher, the command line and all end-to-end tests. */
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
    // Our own guard reads bodies: after authorisation, with limits, as raw bytes.
    bodyParser: false,
    abortOnError: false,
    ...serverOptions(settings),
  });
  configure(app, settings);
  return app;
}

/** Configures everything outside of modules: middleware, pipes, server limits. */
export function configure(app: NestExpressApplication, settings: Settings): void {
  app.disable('x-powered-by');
  // Responses are not cacheable, so hashing them for an ETag is useless.
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', settings.trustProxy.length > 0 ? [...settings.trustProxy] : false);
  // Hot routes have compiled validators; this pipe validates all other DTOs.
  app.useGlobalPipes(validationPipe());
  // Registered first, because errors of other middleware must carry these headers.
  app.use(securityHeaders(settings));
  if (settings.trustProxy.length > 0) app.use(readForwardedFor(trustOf(app)));
  app.use(contextMiddleware(app.get(RequestRecorder)));
  if (hasProbePort(settings)) app.use(requireProbePort);
  if (settings.nodeEnv === 'production') app.use(requireHttps);
  app.use(app.get(CrossOrigin).middleware);
  if (servesDocs(settings)) mountApiDocs(app, settings);
  const server = app.getHttpServer();
  if (settings.ingestLane) openLane(app, server, settings);
  // Node's limits for slow senders, made shorter. Uploads have their own limits.
  server.headersTimeout = Math.min(10_000, settings.requestTimeoutMs);
  server.requestTimeout = settings.requestTimeoutMs;
  // Node checks timeouts every 30 s by default, so a limit of 30 s could become 60 s.
  Object.assign(server, { connectionsCheckingInterval: Math.min(5_000, settings.requestTimeoutMs / 2) });
  server.keepAliveTimeout = 65_000;
  // Node would answer an unknown Expect header with an empty 417; ignore the header instead.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
  // Expect: 100-continue. The caller gets a refusal immediately; "continue" is sent only when the body is about to be read.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const goOn = (event: string | symbol): void => {
      if (event !== 'data' && event !== 'readable') return;
      request.off('newListener', goOn);
      response.writeContinue();
    };
    request.on('newListener', goOn);
    server.emit('request', request, response);
  });
  server.on(
    'clientError',
    brokenRequestAnswerer(fixedHeadersOf(securityHeaders(settings)), baseUrlOf(settings)),
  );
  followCertificates(server, settings);
}

/** Passes requests to the ingest lane first; Express gets the requests that the lane does not take. */
function openLane(app: NestExpressApplication, server: Server, settings: Settings): void {
  const lane = app.get(IngestLane);
  const [express] = server.listeners('request') as RequestListener[];
  if (!express) throw new Error('the HTTP server has no listener to fall back on');
  const fixedHeaders = fixedHeadersOf(securityHeaders(settings));
  const trusts = trustOf(app);
  const isSecure = (request: IncomingMessage): boolean =>
    settings.nodeEnv !== 'production' || arrivedByTls(request, trusts);
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const passToExpress = (): void => {
      express(request, response);
    };
    if (isSecure(request)) lane.handle(request, response, fixedHeaders, passToExpress);
    else passToExpress();
  });
}

/** Returns the function by which Express recognises trusted proxies (TRUST_PROXY). */
function trustOf(app: NestExpressApplication): (address: string, hop: number) => boolean {
  const express5 = app.getHttpAdapter().getInstance() as { get(name: string): unknown };
  return express5.get('trust proxy fn') as (address: string, hop: number) => boolean;
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
        // Swagger UI sets style attributes on its elements.
        'style-src': [`'self'`, `'unsafe-inline'`],
      },
    },
    strictTransportSecurity:
      settings.nodeEnv === 'production' ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'no-referrer' },
  });
}
