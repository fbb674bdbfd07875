import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { expect } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import pg from 'pg';
import { ClientAppsService } from '../../src/features/auth/index.js';
import type { Settings } from '../../src/platform/config/index.js';
import { UnitOfWork } from '../../src/platform/database/index.js';
import type { Role, ApiScope } from '../../src/platform/http/index.js';
import {
  AccessTokens,
  systemActorContext,
  NO_CALL,
  OperatorSessionsService,
  OperatorsService,
} from '../../src/features/operators/index.js';
import { OperatorAudit } from '../../src/features/operators/operator-audit.js';
import { RulesetsService } from '../../src/features/rules/index.js';
import { brFirst } from './br-first.js';
import { TestApi, type TestClient, type TestOperator } from './api.js';
import type { TestDatabase } from './database.js';
import { forbiddenIn, forbiddenInDatabase, redisAsText } from './leaks.js';
import { collectLog } from './log-canary.js';
import { startService, type Service, type ServiceOptions } from './service.js';

export type TestAppOptions = ServiceOptions;

/** An application as a test file sees it. */
export class TestApp {
  readonly app: NestExpressApplication;
  readonly settings: Settings;
  readonly database: TestDatabase;
  readonly url: string;
  /** Holds what was logged since this file came. */
  readonly log: readonly string[];
  /** As the owner of the tables: for looking, and for breaking things on purpose. */
  readonly owner: pg.Pool;

  private constructor(
    service: Service,
    private readonly ownsData: boolean,
  ) {
    ({ app: this.app, settings: this.settings, database: this.database, url: this.url } = service);
    this.log = service.log;
    collectLog(this.log);
    // A pool of the test's own; an idle connection that the server ends must not end the test.
    this.owner = new pg.Pool({
      connectionString: this.database.ownerUrl,
      max: 4,
      options: '-c vigia.system=test',
    });
    this.owner.on('error', () => undefined);
  }

  static async start(options: TestAppOptions = {}): Promise<TestApp> {
    return new TestApp(await startService(options), !options.like && !options.database);
  }

  get api(): TestApi {
    return new TestApi(this.url);
  }

  /** An organisation with the first ruleset and one application. */
  async client(
    options: {
      organisationId?: string;
      scopes?: readonly ApiScope[];
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
    const cause = systemActorContext('test');
    const id = await this.app.get(UnitOfWork).run(organisationId, async (tx) => {
      const person = { organisationId, email, name: options.name ?? name, roles, passwordHash: null };
      return this.app.get(OperatorsService).addPerson(tx, person, cause);
    });
    if (id === null) throw new Error('the address is taken');
    return { email, ...(await this.loggedIn({ id, organisationId }, options.strong)) };
  }

  /** A session of somebody who is there. */
  async loggedIn(
    operator: Pick<TestOperator, 'id' | 'organisationId'>,
    strong = true,
  ): Promise<Omit<TestOperator, 'email'>> {
    const sessionId = await this.app.get(UnitOfWork).run(operator.organisationId, async (tx) => {
      const method = 'LOCAL';
      const session = { operator, method, strong, from: NO_CALL } as const;
      const opened = await this.app.get(OperatorSessionsService).createSession(tx, session);
      const content = { method, session: opened.sessionId };
      const cause = { ...systemActorContext('test'), actor: { type: 'operator' as const, id: operator.id } };
      await this.app.get(OperatorAudit).record(tx, operator, 'operator.logged_in', cause, content);
      return opened.sessionId;
    });
    const token = await this.app.get(AccessTokens).issue({ operatorId: operator.id, sessionId });
    return { ...operator, sessionId, token };
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

export const startTestApp = (options?: TestAppOptions): Promise<TestApp> => TestApp.start(options);
