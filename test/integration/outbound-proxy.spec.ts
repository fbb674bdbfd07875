import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import https from 'node:https';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Settings } from '../../src/platform/config/index.js';
import { type SettingValues } from '../../src/platform/config/index.js';
import { Mailer } from '../../src/platform/mail/index.js';
import {
  AddressSet,
  HostResolver,
  HttpSender,
  OutboundProxy,
  OutboundTargets,
  TargetRefusedError,
  type HttpAnswer,
} from '../../src/platform/outbound/index.js';
import { promised } from '../support/needs.js';
import { expectWithin } from '../support/timing.js';
import { ForwardProxy } from '../support/proxy.js';

/** Answers from a list, so that no name leaves this machine. */
class Names extends HostResolver {
  readonly asked: string[] = [];

  constructor(private readonly known: Readonly<Record<string, readonly string[]>>) {
    super();
  }

  override resolve(host: string): Promise<string[]> {
    this.asked.push(host);
    return Promise.resolve([...(this.known[host] ?? [])]);
  }
}

const NAMES = {
  'hooks.example.com': ['93.184.216.34', '2606:2800:220:1::1'],
  'six.example.com': ['2606:2800:220:1::1'],
  'inside.example.com': ['10.0.0.7'],
  'mixed.example.com': ['93.184.216.34', '169.254.169.254'],
};

let proxy: ForwardProxy;
let receiver: Server;
let received: string[];
let names: Names;
const senders: HttpSender[] = [];

beforeEach(async () => {
  proxy = await ForwardProxy.listen();
  received = [];
  names = new Names(NAMES);
  receiver = createServer((request, response) => {
    received.push(`${request.method ?? ''} ${request.headers.host ?? ''}${request.url ?? ''}`);
    request.resume().once('end', () => response.writeHead(200).end('taken'));
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
});

afterEach(async () => {
  for (const sender of senders.splice(0)) sender.destroy();
  receiver.closeAllConnections();
  receiver.close();
  await proxy.close();
});

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

const proxyOf = (settings: Partial<SettingValues> = {}): OutboundProxy =>
  new OutboundProxy({
    outboundProxy: proxy.url,
    outboundProxyResolves: false,
    outboundDirectHosts: [],
    ...settings,
  } as unknown as Settings);

function targetsBy(settings: Partial<SettingValues> = {}, allowLoopback = false): OutboundTargets {
  const policy = { requireHttps: false, allowLoopback, allowed: new AddressSet([]) };
  return new OutboundTargets(policy, names, proxyOf(settings));
}

function post(
  url: string,
  settings: Partial<SettingValues> = {},
  { timeoutMs = 5_000, allowLoopback = false } = {},
): Promise<HttpAnswer> {
  const limits = { timeoutMs, readLimitBytes: 1_024, maxFreeSockets: 2 };
  const sender = new HttpSender(targetsBy(settings, allowLoopback), limits);
  senders.push(sender);
  return sender.send({ url, headers: { 'content-type': 'text/plain' }, body: Buffer.from('hello') });
}

describe('requests that are judged, through OUTBOUND_PROXY', () => {
  it('gives the proxy the address that was judged here and no name', async () => {
    proxy.leads.set('93.184.216.34:80', portOf(receiver));
    const answer = await post('http://hooks.example.com/in?tenant=7');
    expect([answer.statusCode, answer.body.toString()]).toEqual([200, 'taken']);
    expect(proxy.asked).toEqual(['93.184.216.34:80']);
    expect(received).toEqual(['POST hooks.example.com/in?tenant=7']);
  });

  it('writes an IPv6 address in brackets', async () => {
    proxy.leads.set('[2606:2800:220:1::1]:8080', portOf(receiver));
    expect((await post('http://six.example.com:8080/')).statusCode).toBe(200);
  });

  it('makes TLS with the receiver itself, under its name, and checks its certificate', async () => {
    const told: string[] = [];
    const secure = https.createServer({
      cert: readFileSync('test/support/tls/localhost.cert.pem'),
      key: readFileSync('test/support/tls/localhost.key.pem'),
      SNICallback: (name, done) => {
        told.push(name);
        done(null);
      },
    });
    secure.listen(0, '127.0.0.1');
    await once(secure, 'listening');
    proxy.leads.set('93.184.216.34:443', portOf(secure));
    const answer = await post('https://hooks.example.com/');
    secure.close();
    expect(told).toEqual(['hooks.example.com']);
    expect([answer.statusCode, answer.errorCode]).toEqual([null, 'DEPTH_ZERO_SELF_SIGNED_CERT']);
  });

  it.each([
    ['http://inside.example.com/', 'ADDRESS_NOT_ALLOWED'],
    ['http://mixed.example.com/', 'ADDRESS_NOT_ALLOWED'],
    ['http://unknown.example.com/', 'HOST_NOT_FOUND'],
    ['http://10.0.0.7/', 'ADDRESS_NOT_ALLOWED'],
    ['http://[::ffff:10.0.0.7]/', 'ADDRESS_NOT_ALLOWED'],
    ['http://127.0.0.1:9000/', 'ADDRESS_NOT_ALLOWED'],
    ['http://localhost:9000/', 'HOST_NOT_ALLOWED'],
  ])('the proxy never hears of %s', async (url, code) => {
    const answer = await post(url);
    expect([answer.statusCode, answer.errorCode]).toEqual([null, code]);
    expect(proxy.asked).toEqual([]);
  });

  it.each([403, 407, 410, 500, 302])(
    'a proxy that answers %i is not taken for the receiver',
    async (status) => {
      proxy.refuse = status;
      const answer = await post('http://hooks.example.com/');
      expect([answer.statusCode, answer.errorCode]).toEqual([null, 'PROXY_REFUSED']);
    },
  );

  promised('a proxy that says nothing costs no more than the time of the request', async () => {
    proxy.silent = true;
    const answer = await post('http://hooks.example.com/', {}, { timeoutMs: 200 });
    expect(answer.errorCode).toBe('TIMEOUT');
    expectWithin(5_000, 0, answer.durationMs);
  });

  it('a proxy that is away is said so, and nothing goes around it', async () => {
    const answer = await post('http://hooks.example.com/', { outboundProxy: 'http://127.0.0.1:1' });
    expect(answer.errorCode).toBe('PROXY_REFUSED');
    expect(received).toEqual([]);
  });

  it('shows the proxy its credentials, and the receiver none of them', async () => {
    proxy.leads.set('93.184.216.34:80', portOf(receiver));
    const withUser = proxy.url.replace('//', '//vigia:p%40ss@');
    expect((await post('http://hooks.example.com/', { outboundProxy: withUser })).statusCode).toBe(200);
    expect(proxy.credentials).toEqual([`Basic ${Buffer.from('vigia:p@ss').toString('base64')}`]);
  });

  it('where the proxy resolves names it gets them, and addresses are still judged here', async () => {
    const settings = { outboundProxyResolves: true };
    proxy.leads.set('unknown.example.com:80', portOf(receiver));
    expect((await post('http://unknown.example.com/', settings)).statusCode).toBe(200);
    expect((await post('http://10.0.0.7/', settings)).errorCode).toBe('ADDRESS_NOT_ALLOWED');
    expect(names.asked).toEqual([]);
    await expect(targetsBy(settings).checkReachable('http://unknown.example.com/')).resolves.toBeInstanceOf(
      URL,
    );
    await expect(targetsBy(settings).checkReachable('http://2130706433/')).rejects.toBeInstanceOf(
      TargetRefusedError,
    );
    expect(proxy.asked).toEqual(['unknown.example.com:80']);
  });

  it('hosts named as direct, and this machine on a laptop, are reached without it', async () => {
    const local = `http://127.0.0.1:${portOf(receiver)}/`;
    expect((await post(local, {}, { allowLoopback: true })).statusCode).toBe(200);
    const direct = { outboundDirectHosts: ['.example.com'] };
    expect((await post('http://inside.example.com/', direct)).errorCode).toBe('ADDRESS_NOT_ALLOWED');
    expect(names.asked).toEqual(['inside.example.com']);
    expect(proxy.asked).toEqual([]);
  });
});

describe('requests of whoever runs the service', () => {
  it('fetch goes through the proxy by name, with method, body and status', async () => {
    proxy.leads.set('idp.example.com:80', portOf(receiver));
    const answer = await proxyOf().fetch('http://idp.example.com/token', { method: 'POST', body: 'code=1' });
    expect([answer.status, await answer.text()]).toEqual([200, 'taken']);
    expect([proxy.asked, received]).toEqual([['idp.example.com:80'], ['POST idp.example.com/token']]);
  });

  it('fetch fails when the proxy refuses, and when it says nothing in time', async () => {
    await expect(proxyOf().fetch('http://idp.example.com/')).rejects.toMatchObject({ code: 'PROXY_REFUSED' });
    proxy.silent = true;
    const signal = AbortSignal.timeout(100);
    await expect(proxyOf().fetch('http://idp.example.com/', { signal })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });

  it('mail goes through it, too', async () => {
    const server = createTcpServer((socket) => {
      socket.write('220 mail.example.com ESMTP\r\n');
      socket.once('data', () => socket.end('421 closing\r\n'));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    proxy.leads.set('mail.example.com:587', portOf(server));
    const settings = { mailUrl: 'smtp://mail.example.com:587', mailFrom: 'Vigia <vigia@localhost>' };
    const mailer = new Mailer(settings as unknown as Settings, { now: () => 0 }, proxyOf());
    const message = { to: ['ana@example.com'], subject: 'x', text: 'x' };
    await expect(mailer.send(message)).rejects.toMatchObject({ code: 'MAIL_UNAVAILABLE' });
    server.close();
    expect(proxy.asked).toEqual(['mail.example.com:587']);
  });
});
