import { it } from '@jest/globals';
import { uuidOf } from '../../src/platform/kernel/index.js';
import { aTransaction } from '../support/builders.js';
import { ConsoleDesk } from '../support/console-desk.js';
import { ConsolePerson } from '../support/console-person.js';
import { ConsoleTabs, OpenStreams } from '../support/console-tabs.js';
import { eventually } from '../support/eventually.js';
import { needs } from '../support/needs.js';

needs('chromium').describe('the tabs of a browser', () => {
  const desk = ConsoleDesk.forBlock();

  const opens = async (mark: string, count: number): Promise<ConsoleTabs> =>
    ConsoleTabs.open(desk.browser, desk.t, await desk.account(mark), count);

  const ingest = (): Promise<unknown> =>
    desk.t.api
      .as(desk.client)
      .post('/kyt/transactions/ingest')
      .send(
        aTransaction({ metadata: {}, amount: 50_000, destination: { name: 'Ivan Exemplo', country: 'IR' } }),
      )
      .expect(202);

  const operatorId = async (email: string): Promise<string> => {
    const { body } = await (await desk.operator('ADMIN')).get('/operator/operators').expect(200);
    return (
      (body as { data: { id: string; email: string }[] }).data.find((one) => one.email === email)?.id ?? ''
    );
  };

  it('hand the stream over when the tab that holds it crashes', async () => {
    const streams = new OpenStreams(desk.t);
    const tabs = await opens('crash', 3);
    await tabs.areLive();
    await tabs.crashesHolder();
    await streams.are(1);
    await tabs.areLive();
    const told = tabs.everyCountGrows();
    await ingest();
    await told;
    await tabs.close();
    await streams.are(0);
  });

  it('take the stream from a tab that hangs', async () => {
    const tabs = await opens('hang', 3);
    await tabs.areLive();
    const hanging = await tabs.hangsHolder();
    await eventually('another tab holds the stream', () => tabs.holding !== hanging);
    await tabs.areLive();
    const told = tabs.everyCountGrows();
    await ingest();
    await told;
    await tabs.close();
  });

  it('say that a person has too many streams', async () => {
    const account = await desk.account('many');
    const { page, visit } = await ConsolePerson.signsIn(desk.browser, desk.t.url, account);
    await page.locator('.live.on').waitFor();
    const { organisationId } = desk.client;
    const elsewhere = new AbortController();
    const id = uuidOf('opr', await operatorId(account.email)) ?? '';
    const { token } = await desk.t.loggedIn({ id, organisationId });
    for (let i = 0; i < 4; i += 1) {
      const headers = { authorization: `Bearer ${token}` };
      await fetch(`${desk.t.url}/operator/stream?topics=badges`, { headers, signal: elsewhere.signal });
    }
    await page.getByText('in too many browsers').waitFor();
    elsewhere.abort();
    await visit.context.close();
  });
});
