import { afterAll, beforeAll } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { Role } from '../../src/platform/http/index.js';
import type { TestApi, TestClient } from './api.js';
import { startTestApp, type TestApp } from './app.js';
import { buildPage, openBrowser } from './browser.js';
import { consoleAccount, ConsolePerson, type ConsoleAccount } from './console-person.js';

type VisitOptions = Parameters<typeof ConsolePerson.signsIn>[3];

/** The service, a browser and an organisation, for all tests of a block; who works there signs in. */
export class ConsoleDesk {
  t!: TestApp;
  browser!: Browser;
  client!: TestClient;

  static forBlock(options: Parameters<TestApp['client']>[0] = {}): ConsoleDesk {
    const desk = new ConsoleDesk();
    beforeAll(async () => {
      await buildPage();
      [desk.t, desk.browser] = await Promise.all([startTestApp(), openBrowser()]);
      desk.client = await desk.t.client(options);
    });
    afterAll(async () => {
      await desk.browser.close();
      await desk.t.close();
    });
    return desk;
  }

  account(mark: string, role: Role = 'COMPLIANCE_OFFICER'): Promise<ConsoleAccount> {
    return consoleAccount(this.t, this.client.organisationId, { name: 'Olga Oficial', role, mark });
  }

  /** An officer, or whoever has another role, in a browser of their own; each with an account, as a code is good once. */
  async person(mark: string, role?: Role, options?: VisitOptions): Promise<ConsolePerson> {
    return ConsolePerson.signsIn(this.browser, this.t.url, await this.account(mark, role), options);
  }

  /** Somebody of the same organisation at the API. */
  async operator(role: Role = 'COMPLIANCE_OFFICER'): Promise<TestApi> {
    const { organisationId } = this.client;
    return this.t.api.asOperator(await this.t.operator({ roles: [role], organisationId }));
  }

  async has(sql: string): Promise<boolean> {
    return (await this.t.owner.query(sql)).rows.length > 0;
  }
}
