import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readSettings } from '../../src/platform/config/index.js';
import {
  objectKeyOf,
  ObjectMissingError,
  type ArtifactStore,
} from '../../src/features/uploads/storage/artifact-store.js';
import { LocalStore } from '../../src/features/uploads/storage/local-store.js';
import { S3Store, StoreFailedError, type S3Options } from '../../src/features/uploads/storage/s3-store.js';
import { S3Server } from '../support/s3-server.js';

let folder: string;
let server: S3Server;
let options: S3Options;
let local: LocalStore;
let s3: S3Store;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigia-stores-'));
  server = new S3Server('artifacts', 'KEYOFTHETEST', 'secret/of+the=test', 'sa-east-1');
  options = {
    endpoint: await server.listen(),
    bucket: 'artifacts',
    region: 'sa-east-1',
    accessKeyId: 'KEYOFTHETEST',
    secretAccessKey: 'secret/of+the=test',
    // So that listing takes several pages.
    pageSize: 2,
  };
  local = new LocalStore(join(folder, 'kept'));
  s3 = new S3Store(options);
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const newKey = (day = '2026-11-20', rendition = 'original'): string =>
  objectKeyOf({ id: randomUUID(), organisationId: randomUUID() }, day, rendition);

async function staged(content: Buffer): Promise<string> {
  const path = join(folder, randomUUID());
  await writeFile(path, content);
  return path;
}

async function read(store: ArtifactStore, key: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await store.open(key)) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

async function listed(store: ArtifactStore, prefix: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for await (const { key, bytes, modifiedAt } of store.list(prefix)) {
    expect(Math.abs(Date.now() - modifiedAt.getTime())).toBeLessThan(60_000);
    found.set(key, bytes);
  }
  return found;
}

describe.each([
  ['local', (): ArtifactStore => local],
  ['s3', (): ArtifactStore => s3],
])('the %s store', (_, store) => {
  it.each([1, 100, 65_536, 10 * 1_024 * 1_024 + 4_321])(
    'gives back the %d bytes that it took over',
    async (size) => {
      const content = randomBytes(size);
      const key = newKey();
      const path = await staged(content);
      await store().put(key, path);
      expect((await read(store(), key)).equals(content)).toBe(true);
      await expect(stat(path)).rejects.toThrow('ENOENT');
    },
  );

  it('says that an object is missing', async () => {
    await expect(store().open(newKey())).rejects.toBeInstanceOf(ObjectMissingError);
  });

  it('removes an object, and one that is not there as well', async () => {
    const key = newKey();
    await store().put(key, await staged(randomBytes(10)));
    await store().remove(key);
    await expect(store().open(key)).rejects.toBeInstanceOf(ObjectMissingError);
    await store().remove(key);
  });

  it('lists what a day has, all pages of it, and nothing of other days', async () => {
    const mine = Array.from({ length: 5 }, () => newKey('2026-01-15'));
    for (const [i, key] of mine.entries()) await store().put(key, await staged(randomBytes(10 + i)));
    await store().put(newKey('2026-01-16'), await staged(randomBytes(10)));
    const found = await listed(store(), '2026-01-15/');
    expect([...found].sort()).toEqual(mine.map((key, i) => [key, 10 + i] as const).sort());
    expect(await listed(store(), '2026-01-14/')).toEqual(new Map());
  });

  it('leaves the file where it is when it cannot be stored', async () => {
    const path = await staged(randomBytes(10));
    const broken =
      store() === local
        ? new LocalStore(join(path, 'not-a-folder'))
        : new S3Store({ ...options, bucket: 'no-bucket' });
    await expect(broken.put(newKey(), path)).rejects.toThrow();
    expect((await stat(path)).size).toBe(10);
  });
});

describe('the local store', () => {
  it.each(['../../etc/passwd', '/etc/passwd', 'a/../../b', 'a//b', '', 'a\0b/c'])(
    'opens nothing for the key %j',
    async (key) => {
      await expect(local.open(key)).rejects.toBeInstanceOf(ObjectMissingError);
    },
  );

  it('keeps files for their owner only, and no empty folders', async () => {
    const store = new LocalStore(join(folder, 'private'));
    const key = newKey();
    await store.put(key, await staged(randomBytes(1)));
    expect((await stat(join(folder, 'private', key.split('/')[0]!))).mode & 0o077).toBe(0);
    await store.remove(key);
    expect(await readdir(join(folder, 'private'))).toEqual([]);
  });
});

describe('the s3 store', () => {
  it('is refused with a wrong key, as every request is signed', async () => {
    const wrong = new S3Store({ ...options, secretAccessKey: 'another' });
    const key = newKey();
    await expect(wrong.put(key, await staged(randomBytes(10)))).rejects.toThrow('status 403');
    await s3.put(key, await staged(randomBytes(10)));
    await expect(wrong.open(key)).rejects.toThrow('status 403');
    await expect(wrong.remove(key)).rejects.toThrow('status 403');
    await expect(listed(wrong, '')).rejects.toThrow('status 403');
    expect(await read(s3, key)).toHaveLength(10);
  });

  it('signs the body, tries again after a failure of the store, and says so when that does not help', async () => {
    const key = newKey();
    server.requests.length = 0;
    server.failures = 2;
    await s3.put(key, await staged(Buffer.from('abc')));
    expect(server.requests).toHaveLength(3);
    expect(server.requests[2]).toMatchObject({
      method: 'PUT',
      // SHA-256 of "abc", FIPS 180-4.
      bodyHash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    });
    expect(server.requests[2]?.signedHeaders.split(';')).toEqual(
      expect.arrayContaining(['host', 'x-amz-content-sha256', 'x-amz-date']),
    );
    server.failures = 100;
    await expect(s3.open(key)).rejects.toThrow('status 503');
    server.failures = 0;
    expect(await read(s3, key)).toHaveLength(3);
    const away = new S3Store({ ...options, endpoint: 'http://127.0.0.1:1' });
    await expect(away.open(key)).rejects.toBeInstanceOf(StoreFailedError);
  });
});

describe('the settings of the store', () => {
  it('name what s3 needs, and want https in production', () => {
    expect(() => readSettings({ ARTIFACT_STORE: 'ftp' })).toThrow('ARTIFACT_STORE must be one of local, s3');
    const key = (): string => randomBytes(32).toString('base64');
    const env = {
      NODE_ENV: 'test',
      DATABASE_URL: 'postgres://vigia_app@127.0.0.1/vigia',
      KEY_RING: `a:${key()}`,
      AUDIT_KEYS: `a:${key()}`,
      INDEX_KEY: key(),
      CLIENT_SECRET_PEPPER: key(),
      ARTIFACT_STORE: 's3',
    };
    expect(() => readSettings(env)).toThrow(
      /S3_ENDPOINT is required.*S3_BUCKET is required.*S3_ACCESS_KEY_ID is required.*S3_SECRET_ACCESS_KEY is required/s,
    );
    const whole = {
      ...env,
      S3_ENDPOINT: 'http://s3',
      S3_BUCKET: 'a',
      S3_ACCESS_KEY_ID: 'a',
      S3_SECRET_ACCESS_KEY: 'b',
    };
    expect(readSettings(whole).artifactStore).toBe('s3');
    expect(() => readSettings({ ...whole, NODE_ENV: 'production' })).toThrow(
      'S3_ENDPOINT has to be https in production',
    );
  });
});
