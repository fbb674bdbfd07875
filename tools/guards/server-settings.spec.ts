import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { serverSettings } from '../../launcher/servers/postgres.js';
import { redisSettings } from '../../launcher/servers/redis.js';
import { ownerSession, serviceSession } from '../../src/platform/database/connection/session-settings.js';
import { askedOfServer } from '../../src/platform/database/index.js';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const compose = read('docker-compose.yml');

type Given = Readonly<Record<string, string>>;

/** The rows of a table of docs/production.md: the values by the names of the settings. */
function asked(table: 'PostgreSQL' | 'Redis'): Given {
  const [, rows = ''] =
    new RegExp(`^\\| ${table} \\| value \\| why \\|\n\\|[-|]+\n((?:\\|.*\n)+)`, 'm').exec(
      read('docs/production.md'),
    ) ?? [];
  const found = rows
    .trim()
    .split('\n')
    .flatMap((row) => {
      const [, names = '', values = '', why = ''] = row.split('|').map((cell) => cell.trim());
      const several = values.split(', ');
      return names.split(', ').map((name, i) => {
        const value = several.length > 1 ? several[i] : values;
        return [name.replaceAll('`', ''), `${value ?? ''} ${why}`] as const;
      });
    });
  return Object.fromEntries(found);
}

const ofText = (text: string, pair: RegExp): Given =>
  Object.fromEntries([...text.matchAll(pair)].map(([, name = '', value = '']) => [name, value]));
const asText = (settings: object): Given =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));

/** Where a server listens, and what else nothing depends on: a log on a laptop is read by its owner. */
const OWN = new Set(['listen_addresses', 'unix_socket_directories', 'log_checkpoints']);
/** Settings that depend on the machine. */
const SIZES = new Set(['shared_buffers']);
const inCompose = ofText(compose, /-c ([a-z_]+)=(\S+)/g);
const redisInCompose = ofText(compose, /--(maxmemory|maxmemory-policy|appendonly|appendfsync) (\S+)/g);
const withLauncher = asText(serverSettings({ durable: true, countStatements: false }));
const inTests = asText(serverSettings({ durable: false, countStatements: false }));

const missing = (given: Given, told: Given): string[] =>
  Object.entries(given)
    .filter(([name]) => !OWN.has(name))
    .filter(([name, value]) => !SIZES.has(name) && told[name]?.includes(`\`${value}\``) !== true)
    .map(([name, value]) => `${name}=${value}`);

describe('docs/production.md', () => {
  it.each([
    ['npm start', withLauncher],
    ['docker-compose.yml', inCompose],
  ])('asks for every setting of PostgreSQL that %s gives it', (_, given) => {
    expect(Object.keys(given).length).toBeGreaterThan(6);
    expect(missing(given, asked('PostgreSQL'))).toEqual([]);
  });

  it.each([
    ['npm start', redisSettings(true)],
    ['docker-compose.yml', redisInCompose],
  ])('asks for every setting of Redis that %s gives it', (_, given) => {
    expect(Object.keys(given).length).toBeGreaterThan(3);
    expect(missing(given, asked('Redis'))).toEqual([]);
  });

  it('asks for what vigia doctor looks at', () => {
    const good = Object.fromEntries(Object.entries(askedOfServer).map(([name, [best = '']]) => [name, best]));
    expect(missing(good, asked('PostgreSQL'))).toEqual([]);
  });

  it('asks for a database as docker-compose.yml makes it', () => {
    const [, given = ''] = /POSTGRES_INITDB_ARGS: (.*)/.exec(compose) ?? [];
    const told = Object.values(asked('PostgreSQL')).join('\n');
    expect(given.split(' ').filter((part) => !told.includes(part))).toEqual([]);
    expect(given).toContain('--data-checksums');
  });
});

describe('the servers of the tests', () => {
  it('have less than those of production, and nothing more', () => {
    const unlike = Object.keys(inTests).filter((name) => inTests[name] !== withLauncher[name]);
    expect(unlike.sort()).toEqual(['fsync', 'full_page_writes', 'shared_buffers', 'synchronous_commit']);
    expect(redisSettings(false)).toEqual({ ...redisSettings(true), appendonly: 'no' });
  });

  it('are given nothing that a session sets for itself, so that a session without it is noticed', () => {
    const limits = { statementTimeoutMs: 1, idleInTransactionTimeoutMs: 1 };
    const own = Object.keys({ ...serviceSession(limits), ...ownerSession(limits) });
    const given = new Set(
      Object.keys({ ...inTests, ...withLauncher, ...inCompose }).map((name) => name.toLowerCase()),
    );
    expect(own.filter((name) => given.has(name.toLowerCase()))).toEqual([]);
  });
});
