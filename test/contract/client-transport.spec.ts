import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import {
  goDriver,
  pythonDriver,
  typescriptDriver,
  type ClientDriver,
  type Said,
  type Setup,
} from '../support/client-drivers.js';
import { needs, withOtherLanguages } from '../support/needs.js';
import { ForwardProxy } from '../support/proxy.js';

const TLS = 'test/support/tls/localhost';
const portOf = (server: Server | ReturnType<typeof createTlsServer>): number =>
  (server.address() as AddressInfo).port;

let t: TestApp;
let client: TestClient;
let proxy: ForwardProxy;
/** Requests for plain addresses, which a proxy reads. */
let plain: Server;
const asked: { readonly url: string; readonly body: string }[] = [];
/** Ends TLS before the service. */
const secure = createTlsServer(
  { cert: readFileSync(`${TLS}.cert.pem`), key: readFileSync(`${TLS}.key.pem`) },
  (socket) => {
    const there = connect(Number(new URL(t.url).port), '127.0.0.1');
    socket.pipe(there).pipe(socket);
    for (const one of [socket, there]) one.on('error', () => undefined);
  },
);

async function listening<S extends Server | typeof secure>(server: S): Promise<S> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client({ scopes: ['kyt:ingest', 'kyt:read'] });
  proxy = await ForwardProxy.listen();
  await listening(secure);
  plain = await listening(
    createServer((incoming, response) => {
      void text(incoming).then((body) => {
        asked.push({ url: incoming.url ?? '', body });
        const { pathname, search } = new URL(incoming.url ?? '');
        const { method, headers } = incoming;
        request(`${t.url}${pathname}${search}`, { method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        }).end(body);
      });
    }),
  );
  proxy.leads.set('localhost:7443', portOf(secure));
});

afterAll(async () => {
  plain.closeAllConnections();
  plain.close();
  secure.close();
  await proxy.close();
  await t.close();
});

const sends = (start: (setup: Setup) => ClientDriver) => (): void => {
  const before = { ...process.env };

  beforeEach(() => {
    asked.length = 0;
    proxy.asked.length = 0;
  });

  afterEach(() => {
    process.env = { ...before };
  });

  const run = async (
    setup: Partial<Setup>,
    step: Parameters<ClientDriver['run']>[0],
    given: unknown,
  ): Promise<Said> => {
    const { clientId, clientSecret } = client;
    const driver = start({ url: t.url, clientId, clientSecret, timeoutMs: 3_000, ...setup });
    try {
      return await driver.run(step, given);
    } finally {
      driver.close();
    }
  };

  it('by the proxy of the environment, unless the address is exempt', async () => {
    process.env['http_proxy'] = `http://127.0.0.1:${portOf(plain)}`;
    process.env['no_proxy'] = 'localhost,127.0.0.1';
    const said = await run({ url: 'http://vigia.example/' }, 'transaction', 'never');
    expect(said).toMatchObject({ code: 'TRANSACTION_NOT_FOUND', attempts: 1 });
    expect(asked.map(({ url }) => url)).toEqual(['http://vigia.example/kyt/transactions/never']);
    expect(await run({}, 'transaction', 'never')).toMatchObject({ code: 'TRANSACTION_NOT_FOUND' });
    expect(asked).toHaveLength(1);
  });

  it('by a proxy and with an authority that the program names', async () => {
    const setup = { url: 'https://localhost:7443', proxy: proxy.url, ca: `${TLS}.cert.pem` };
    const said = await run(setup, 'ingest', aTransaction());
    expect(said).toMatchObject({ value: { accepted: true }, attempts: 1 });
    expect(proxy.asked).toEqual(['localhost:7443']);
    const url = `https://localhost:${portOf(secure)}`;
    expect(await run({ url, ca: setup.ca }, 'transaction', 'never')).toMatchObject({
      code: 'TRANSACTION_NOT_FOUND',
    });
  });

  it('money as it is', async () => {
    process.env['http_proxy'] = `http://127.0.0.1:${portOf(plain)}`;
    for (const amount of ['0.07', '850.75', '999999999999.99']) {
      const said = await run({ url: 'http://vigia.example' }, 'ingestExact', { ...aTransaction(), amount });
      expect(said.value).toMatchObject({ accepted: true });
      expect(asked.at(-1)!.body.replace(/ /g, '')).toContain(`"amount":${amount},`);
    }
  });

  it('nothing when the call itself is wrong, and says so at once without the value', async () => {
    for (const wrong of [
      { clientSecret: 'CANARY\nCANARY' },
      { clientSecret: '' },
      { clientId: 'CANARY\u00e9' },
      { url: 'CANARY' },
      { url: 'ftp://CANARY.example' },
    ]) {
      const said = await run(wrong, 'ingest', aTransaction());
      expect(said).toMatchObject({ error: 'VigiaUsageError', attempts: 0 });
      expect(said.message).toBeTruthy();
      expect(JSON.stringify(said)).not.toContain('CANARY');
    }
  });
};

describe('the client for TypeScript sends', sends(typescriptDriver));
if (withOtherLanguages) {
  needs('python3').describe('the client for Python sends', sends(pythonDriver));
  needs('go').describe('the client for Go sends', sends(goDriver));
}
