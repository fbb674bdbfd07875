import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readSettings, SettingsError } from '../../src/platform/config/index.js';
import { createKeySource, settingsWithKeys, WrappingSource } from '../../src/platform/privacy/index.js';
import { startTestApp } from '../support/app.js';
import { FakeKms, FakeVault } from '../support/key-services.js';
import { ForwardProxy } from '../support/proxy.js';

const key = (): string => randomBytes(32).toString('base64');
const BASE: Readonly<Record<string, string>> = {
  NODE_ENV: 'test',
  DATABASE_URL: 'postgres://vigia_app@127.0.0.1/vigia',
  AUDIT_KEYS: `a1:${key()}`,
  INDEX_KEY: key(),
  CLIENT_SECRET_PEPPER: key(),
};
const SECRET = 'kms-secret-access-key-of-this-test-only';
const TOKEN = 'hvs.token-of-this-test-only';

let folder: string;
let kms: FakeKms;
let vault: FakeVault;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vigia-keys-'));
  kms = await new FakeKms(SECRET, 'alias/vigia').listen();
  vault = await new FakeVault(TOKEN, 'vigia').listen();
});

beforeEach(() => {
  kms.calls.length = 0;
  kms.failing = null;
});

afterAll(async () => {
  kms.close();
  vault.close();
  await rm(folder, { recursive: true });
});

const onKms = (more: Record<string, string> = {}): Record<string, string> => ({
  ...BASE,
  KEY_SOURCE: 'aws-kms',
  KMS_ENDPOINT: kms.url,
  KMS_REGION: 'sa-east-1',
  KMS_KEY_ID: 'alias/vigia',
  KMS_ACCESS_KEY_ID: 'AKIATEST',
  KMS_SECRET_ACCESS_KEY: SECRET,
  ...more,
});
const onVault = (more: Record<string, string> = {}): Record<string, string> => ({
  ...BASE,
  KEY_SOURCE: 'vault',
  VAULT_ADDR: vault.url,
  VAULT_TOKEN: TOKEN,
  VAULT_TRANSIT_KEY: 'vigia',
  ...more,
});

async function made(env: Record<string, string>, id: string): Promise<string> {
  const source = createKeySource(readSettings(env));
  if (!(source instanceof WrappingSource)) throw new Error('the source wraps no keys');
  return source.createWrappedKey(id);
}

/** Everything that an error says, its causes too. */
const said = async (opening: Promise<unknown>): Promise<string> => {
  const error = await opening.then(
    () => new Error('it opened'),
    (cause: unknown) => cause as Error,
  );
  return `${error.name}: ${error.message} ${String(error.cause)}`;
};

describe.each([
  ['AWS KMS', onKms],
  ['Vault transit', onVault],
])('the keys of the ring from %s', (_, on) => {
  it('are made where nobody sees them and are the same at every start', async () => {
    // ASVS 13.3.1
    const wrapped = await made(on({ KEY_RING_WRAPPED: '' }), 'k1');
    const both = `${await made(on(), 'k2')},${wrapped}`;
    const first = await settingsWithKeys(readSettings(on({ KEY_RING_WRAPPED: both })));
    const second = await settingsWithKeys(readSettings(on({ KEY_RING_WRAPPED: both })));
    expect(first.keyRing.map(({ id, bytes }) => [id, bytes.length])).toEqual([
      ['k2', 32],
      ['k1', 32],
    ]);
    expect(first.keyRing).toEqual(second.keyRing);
    expect(first.keyRing[0]?.bytes.equals(first.keyRing[1]!.bytes)).toBe(false);
    for (const { bytes } of first.keyRing) expect(both).not.toContain(bytes.toString('base64'));
  });

  it('that were changed, or are none, stop the start and are not quoted', async () => {
    const [id, cipher = ''] = (await made(on(), 'k1')).split(/:(.*)/s);
    const changed = `${cipher.slice(0, -8)}AAAAAAAA`;
    for (const wrapped of [`${id}:${changed}`, 'k1', `k1:${cipher},k1:${cipher}`, '']) {
      const text = await said(settingsWithKeys(readSettings(on({ KEY_RING_WRAPPED: wrapped }))));
      expect(text).toMatch(/^KeySourceFailed/);
      expect(text).not.toMatch(new RegExp(`${SECRET}|${TOKEN}|AAAAAAAA`));
    }
  });
});

describe('AWS KMS', () => {
  it('binds a key to its id, asks once a start, and is asked no more by a running service', async () => {
    const wrapped = await made(onKms(), 'k1');
    const other = wrapped.replace('k1:', 'k2:');
    expect(await said(settingsWithKeys(readSettings(onKms({ KEY_RING_WRAPPED: other }))))).toContain(
      'answered 400',
    );
    kms.calls.length = 0;
    const { keyRing } = await settingsWithKeys(readSettings(onKms({ KEY_RING_WRAPPED: wrapped })));
    expect(kms.calls).toEqual(['Decrypt']);
    const t = await startTestApp({ settings: { keyRing } });
    kms.failing = 503;
    const client = await t.client();
    expect(client.id).toBeDefined();
    await t.close();
    expect(kms.calls).toEqual(['Decrypt']);
  });

  it('is asked again while it is busy, and its absence stops the start', async () => {
    const wrapped = await made(onKms(), 'k1');
    kms.failing = 500;
    kms.calls.length = 0;
    expect(await said(settingsWithKeys(readSettings(onKms({ KEY_RING_WRAPPED: wrapped }))))).toContain(
      'answered 500',
    );
    const away = onKms({ KEY_RING_WRAPPED: wrapped, KMS_ENDPOINT: 'http://127.0.0.1:1' });
    expect(await said(settingsWithKeys(readSettings(away)))).toContain('gave no answer');
    const stranger = onKms({ KEY_RING_WRAPPED: wrapped, KMS_SECRET_ACCESS_KEY: 'another-secret' });
    kms.failing = null;
    expect(await said(settingsWithKeys(readSettings(stranger)))).toContain('answered 400');
  });

  it('is reached through the proxy', async () => {
    const proxy = await ForwardProxy.listen();
    proxy.leads.set('kms.sa-east-1.amazonaws.com:80', Number(new URL(kms.url).port));
    const env = { OUTBOUND_PROXY: proxy.url, KMS_ENDPOINT: 'http://kms.sa-east-1.amazonaws.com' };
    expect(await made(onKms(env), 'k1')).toMatch(/^k1:[A-Za-z0-9+/=]{80,}$/);
    expect(proxy.asked).toEqual(['kms.sa-east-1.amazonaws.com:80']);
    await proxy.close();
  });
});

describe('the keys of the ring from a file', () => {
  const inFile = async (text: string, mode = 0o600): Promise<Record<string, string>> => {
    const file = path.join(folder, randomBytes(4).toString('hex'));
    await writeFile(file, text);
    await chmod(file, mode);
    return { ...BASE, KEY_SOURCE: 'file', KEY_RING_FILE: file };
  };

  it('are read as KEY_RING is', async () => {
    const env = await inFile(`k2:${key()},k1:${key()}\n`);
    const { keyRing } = await settingsWithKeys(readSettings(env));
    expect(keyRing.map(({ id }) => id)).toEqual(['k2', 'k1']);
  });

  it('are refused when others may read them, when there are none and when they are bad', async () => {
    const canary = 'CANARY-4711';
    for (const env of [
      await inFile(`k1:${key()}`, 0o640),
      { ...(await inFile('')), KEY_RING_FILE: path.join(folder, 'none') },
      await inFile(`k1:${canary}`),
      await inFile(''),
    ]) {
      const text = await said(settingsWithKeys(readSettings(env)));
      expect(text).toMatch(/^KeySourceFailed: KEY_RING_FILE/);
      expect(text).not.toContain(canary);
    }
  });

  it('are taken from a file that a platform mounts, and refused when others may write it', async () => {
    // The platform owns such a file, and not the service, whoever runs this test.
    const uid = jest.spyOn(process, 'getuid').mockReturnValue(4_711);
    try {
      for (const mode of [0o400, 0o440, 0o444]) {
        const { keyRing } = await settingsWithKeys(readSettings(await inFile(`k1:${key()}`, mode)));
        expect(keyRing.map(({ id }) => id)).toEqual(['k1']);
      }
      for (const mode of [0o420, 0o622, 0o666]) {
        const text = await said(settingsWithKeys(readSettings(await inFile(`k1:${key()}`, mode))));
        expect(text).toContain('KEY_RING_FILE must be writable by its owner only');
      }
    } finally {
      uid.mockRestore();
    }
  });

  it('are refused when one of them serves something else as well', async () => {
    const env = await inFile(`k1:${BASE['INDEX_KEY']}`);
    await expect(settingsWithKeys(readSettings(env))).rejects.toBeInstanceOf(SettingsError);
  });
});

it('each source names what it lacks, all at once', () => {
  for (const [source, names] of [
    ['environment', ['KEY_RING']],
    ['file', ['KEY_RING_FILE']],
    ['aws-kms', ['KMS_KEY_ID', 'KMS_ACCESS_KEY_ID', 'KMS_SECRET_ACCESS_KEY']],
    ['vault', ['VAULT_ADDR', 'VAULT_TOKEN', 'VAULT_TRANSIT_KEY']],
  ] as const) {
    for (const name of names) {
      expect(() => readSettings({ ...BASE, KEY_SOURCE: source })).toThrow(`${name} is required`);
    }
  }
});
