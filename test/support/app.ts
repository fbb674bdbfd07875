import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { Type } from '@nestjs/common';
import { expect } from '@jest/globals';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import type { NestExpressApplication } from '@nestjs/platform-express';
import pg from 'pg';
import { AppModule } from '../../src/app.module.js';
import { ClientAppsService } from '../../src/auth/index.js';
import { readSettings, Settings, type SettingValues } from '../../src/config/index.js';
import { configure } from '../../src/create-app.js';
import { UnitOfWork } from '../../src/database/index.js';
import type { Role, Scope } from '../../src/http/index.js';
import {
  AccessTokens,
  causedBySystem,
  NO_CALL,
  OperatorSessions,
  OperatorsService,
} from '../../src/operators/index.js';
import { brFirst, RulesetsService } from '../../src/rules/index.js';
import { StructuredLogger } from '../../src/telemetry/index.js';
import { serverOptions } from '../../src/tls.js';
import { TestApi, type TestClient, type TestOperator } from './api.js';
import { freshDatabase, required, type TestDatabase } from './database.js';
import { forbiddenIn, forbiddenInDatabase, redisAsText } from './leaks.js';
import { collectLog } from './log-canary.js';

const key = (): string => randomBytes(32).toString('base64');

export interface TestAppOptions {
  readonly settings?: Partial<SettingValues>;
  /** Replaces providers before the application is built. */
  readonly override?: (builder: TestingModuleBuilder) => TestingModuleBuilder;
  /** Modules beside the application's own. */
  readonly modules?: readonly Type[];
  /** Shares the data of another application. */
  readonly database?: TestDatabase;
  /** Shares keys and queue of another application. */
  readonly like?: TestApp;
  readonly withoutRedis?: boolean;
}

/** A whole application on its own database and queue prefix, listening on a free port. */
export class TestApp {
  private constructor(
    readonly app: NestExpressApplication,
    readonly settings: Settings,
    readonly database: TestDatabase,
    readonly url: string,
    readonly log: readonly string[],
    /** As the owner of the tables: for looking, and for breaking things on purpose. */
    readonly owner: pg.Pool,
    private readonly ownsData: boolean,
  ) {}

  static async start(options: TestAppOptions = {}): Promise<TestApp> {
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
    collectLog(log);
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
    // A pool of the test's own; an idle connection that the server ends must not end the test.
    const owner = new pg.Pool({
      connectionString: database.ownerUrl,
      max: 4,
      options: '-c vigia.system=test',
    });
    owner.on('error', () => undefined);
    return new TestApp(
      app,
      settings,
      database,
      await app.getUrl(),
      log,
      owner,
      !options.like && !options.database,
    );
  }

  get api(): TestApi {
    return new TestApi(this.url);
  }

  /** An organisation with the first ruleset and one application. */
  async client(
    options: {
      organisationId?: string;
      scopes?: readonly Scope[];
      perSecond?: number;
      burst?: number;
      rules?: boolean;
    } = {},
  ): Promise<TestClient> {
    const name = randomBytes(5).toString('hex');
    const apps = this.app.get(ClientAppsService);
    const organisationId = options.organisationId ?? (await apps.ensureOrganisation(name, name));
    if (options.rules !== false) await this.app.get(RulesetsService).publish(organisationId, brFirst, 'test');
    const created = await apps.create({
      organisationId,
      clientId: `app-${name}`,
      name: 'test',
      publicName: 'Loja Exemplo',
      branding: { logoUrl: 'https://loja.example/logo.svg', primaryColor: '#0B5FFF' },
      scopes: options.scopes ?? ['kyt:ingest', 'transactions:write', 'kyt:read'],
      rateLimit: { perSecond: options.perSecond ?? 20_000, burst: options.burst ?? 40_000 },
    });
    if (!created) throw new Error('the client id is taken');
    return { id: created.id, organisationId, clientId: `app-${name}`, clientSecret: created.secret };
  }

  /** A person with these roles, logged in with a second factor unless said otherwise. */
  async operator(
    options: { roles?: readonly Role[]; organisationId?: string; strong?: boolean; name?: string } = {},
  ): Promise<TestOperator> {
    const name = `op-${randomBytes(5).toString('hex')}`;
    const organisationId =
      options.organisationId ?? (await this.app.get(ClientAppsService).ensureOrganisation(name, name));
    const email = `${name}@example.com`;
    const roles = options.roles ?? ['ADMIN'];
    const cause = causedBySystem('test');
    const { id, sessionId } = await this.app.get(UnitOfWork).run(organisationId, async (tx) => {
      const person = { organisationId, email, name: options.name ?? name, roles, passwordHash: null };
      const operatorId = await this.app.get(OperatorsService).addPerson(tx, person, cause);
      if (operatorId === null) throw new Error('the address is taken');
      const session = await this.app.get(OperatorSessions).open(tx, {
        operator: { id: operatorId, organisationId },
        method: 'LOCAL',
        strong: options.strong ?? true,
        from: NO_CALL,
      });
      return { id: operatorId, sessionId: session.sessionId };
    });
    const token = await this.app.get(AccessTokens).issue({ operatorId: id, sessionId });
    return { id, organisationId, email, sessionId, token };
  }

  /** Also fails the test file when its database or its keys in Redis hold a secret, a token or a document. */
  async close(): Promise<void> {
    try {
      if (this.ownsData) {
        const [rows, keys] = await Promise.all([
          forbiddenInDatabase(this.owner),
          redisAsText(this.settings).then((text) => forbiddenIn(text)),
        ]);
        expect({ database: rows, redis: keys }).toEqual({ database: [], redis: [] });
      }
    } finally {
      await this.owner.end();
      await this.app.close();
      if (this.ownsData) await rm(this.settings.dataDir, { recursive: true, force: true });
    }
  }
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
    AUDIT_SWEEP_PER_SECOND: '0',
    STRANGER_PASSWORDS_PER_SECOND: '1000',
    WEBHOOK_REQUIRE_HTTPS: 'false',
    RATE_LIMIT_PUBLIC_PER_MINUTE: '10000',
    RATE_LIMIT_OPERATOR_PER_MINUTE: '100000',
    RATE_LIMIT_FAILURES_PER_MINUTE: '10000',
    RATE_LIMIT_FAILURES_PER_ADDRESS_PER_MINUTE: '10000',
  });
}

export const startTestApp = (options?: TestAppOptions): Promise<TestApp> => TestApp.start(options);
