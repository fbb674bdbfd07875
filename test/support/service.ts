import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { AppModule } from '../../src/app.module.js';
import { readSettings, Settings, type SettingValues } from '../../src/platform/config/index.js';
import { configure } from '../../src/bootstrap/create-app.js';
import { StructuredLogger } from '../../src/platform/telemetry/index.js';
import { serverOptions } from '../../src/bootstrap/tls.js';
import { freshDatabase, required, type TestDatabase } from './database.js';

export interface ServiceOptions {
  readonly settings?: Partial<SettingValues>;
  /** Replaces providers before the application is built. */
  readonly override?: (builder: TestingModuleBuilder) => TestingModuleBuilder;
  /** Modules beside the application's own. */
  readonly modules?: readonly Type[];
  /** Shares the data of another application. */
  readonly database?: TestDatabase;
  /** Shares keys and queue of another application. */
  readonly like?: Pick<Service, 'settings' | 'database'>;
  readonly withoutRedis?: boolean;
}

/** A whole application on its database and queue prefix, listening on a free port. */
export interface Service {
  readonly app: NestExpressApplication;
  readonly settings: Settings;
  readonly database: TestDatabase;
  readonly url: string;
  readonly log: string[];
}

const key = (): string => randomBytes(32).toString('base64');

export async function startService(options: ServiceOptions): Promise<Service> {
  const database = options.database ?? options.like?.database ?? (await freshDatabase());
  const settings = Settings.of({
    ...(options.like?.settings ?? newSettings(database, options.withoutRedis === true)),
    // An API of the tests only answers: what it accepts is there to be looked at until a worker comes.
    ...(options.settings?.role === 'api' && { evaluateOnArrival: false }),
    ...options.settings,
  });
  const log: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log.push(chunk.toString('utf8'));
      done();
    },
  });
  const logger = new StructuredLogger(
    { level: settings.logLevel, file: null, name: settings.serviceName, role: settings.role },
    sink,
  );
  const builder = Test.createTestingModule({
    imports: [AppModule.with(settings, logger), ...(options.modules ?? [])],
  }).setLogger(logger);
  const compiled = await (options.override?.(builder) ?? builder).compile();
  const app = compiled.createNestApplication<NestExpressApplication>({
    bodyParser: false,
    logger,
    ...serverOptions(settings),
  });
  configure(app, settings);
  await app.listen(0, '127.0.0.1');
  return { app, settings, database, url: await app.getUrl(), log };
}

function newSettings(database: TestDatabase, withoutRedis: boolean): SettingValues {
  const redisUrl = process.env['TEST_REDIS_URL'];
  return readSettings({
    NODE_ENV: 'test',
    PORT: '0',
    DATA_DIR: join(required('TEST_DATA_DIR'), randomBytes(5).toString('hex')),
    DATABASE_URL: database.appUrl,
    ...(redisUrl !== undefined && !withoutRedis ? { REDIS_URL: redisUrl } : {}),
    QUEUE_PREFIX: `{t${randomBytes(5).toString('hex')}}`,
    KEY_RING: `test:${key()}`,
    AUDIT_KEYS: `test:${key()}`,
    INDEX_KEY: key(),
    CLIENT_SECRET_PEPPER: key(),
    DATABASE_POOL_SIZE: '6',
    RECONCILE_INTERVAL_MS: '200',
    AUDIT_SEAL_MS: '150',
    AUDIT_SWEEP_PER_SECOND: '0',
    STRANGER_PASSWORDS_PER_SECOND: '1000',
    WEBHOOK_REQUIRE_HTTPS: 'false',
    RATE_LIMIT_PUBLIC_PER_MINUTE: '10000',
    RATE_LIMIT_OPERATOR_PER_MINUTE: '100000',
    RATE_LIMIT_FAILURES_PER_MINUTE: '10000',
  });
}
