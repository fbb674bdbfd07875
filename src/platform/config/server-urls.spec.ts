import { describe, expect, it } from '@jest/globals';
import { databaseUrls } from './database-settings.js';
import { readDatabaseUrl, readRedisUrl, readUrl, withLogin } from './server-urls.js';

const CANARY = 'CANARY-4711';

const valueOf = <T>(read: { readonly value: T } | { readonly problem: string }): T => {
  if ('value' in read) return read.value;
  throw new Error(read.problem);
};
const problemOf = (read: object): string => (read as { problem?: string }).problem ?? '';

describe('a URL of PostgreSQL', () => {
  it.each([
    ['one host', 'postgres://u:p@a/vigia?sslmode=require', ['postgres://u:p@a/vigia?sslmode=require']],
    [
      'several, and what is asked of them',
      'postgres://u:p%40x@a:5432,b:5433/vigia?target_session_attrs=read-write',
      ['postgres://u:p%40x@a:5432/vigia', 'postgres://u:p%40x@b:5433/vigia'],
    ],
    [
      'a parameter behind it',
      'postgres://u@a,b/vigia?target_session_attrs=primary&sslmode=require',
      ['postgres://u@a/vigia?sslmode=require', 'postgres://u@b/vigia?sslmode=require'],
    ],
    [
      'IPv6',
      'postgresql://u:p@[::1]:5432,[2001:db8::7]/vigia',
      ['postgresql://u:p@[::1]:5432/vigia', 'postgresql://u:p@[2001:db8::7]/vigia'],
    ],
    [
      'a comma and an @ in the password',
      'postgres://u:p,x@y@a,b/v',
      ['postgres://u:p,x@y@a/v', 'postgres://u:p,x@y@b/v'],
    ],
    ['a socket', 'postgres:///vigia?host=/run&port=5433', ['postgres:///vigia?host=/run&port=5433']],
    ['no database', 'postgres://a,b', ['postgres://a', 'postgres://b']],
  ])('with %s has one URL for each host', (_, text, targets) => {
    expect(valueOf(readDatabaseUrl(text)).targets).toEqual(targets);
  });

  it('says who logs in', () => {
    expect(valueOf(readDatabaseUrl('postgres://vigia%5Fapp:p%40%25%C3%A7@a,b/v'))).toMatchObject({
      user: 'vigia_app',
      password: 'p@%ç',
      bySocket: false,
    });
    expect(valueOf(readDatabaseUrl('postgres:///v?host=/run')).bySocket).toBe(true);
    expect(valueOf(readDatabaseUrl('postgres://u@%2Frun/v')).bySocket).toBe(true);
    // The driver takes localhost for no host.
    expect(valueOf(readDatabaseUrl('postgres:///v')).bySocket).toBe(false);
  });

  it.each([
    ['a raw %', `postgres://u:${CANARY}%@a/v`, '%25'],
    ['an escape that is no UTF-8', `postgres://u:${CANARY}%ff@a/v`, '%25'],
    ['a raw / in its password', `postgres://u:${CANARY}/x@a/v`, 'percent-encoded'],
    ['a raw # in its password', `postgres://u:12#${CANARY}@a/v`, 'percent-encoded'],
    ['a raw ? in its password', `postgres://u:12?${CANARY}@a/v`, 'percent-encoded'],
    ['an empty host', `postgres://u:${CANARY}@a,,b/v`, 'comma'],
    ['a host that is a port', `postgres://u:${CANARY}@a,:5433/v`, 'comma'],
    ['a port that is none', `postgres://u:${CANARY}@a:5432,b:x/v`, 'postgres://'],
    ['a blank', `postgres://u:${CANARY}@a, b/v`, 'postgres://'],
    ['capitals', `POSTGRES://u:${CANARY}@a/v`, 'postgres://'],
    ['another protocol', `mysql://u:${CANARY}@a/v`, 'postgres://'],
    ['its password twice', `postgres://u:x@a/v?password=${CANARY}`, 'password'],
    ['its host twice', `postgres://u:${CANARY}@a/v?host=b`, 'host'],
    ['hosts in its query', `postgres:///v?host=a,${CANARY}`, 'hosts'],
    ['standbys wanted', `postgres://u:${CANARY}@a,b/v?target_session_attrs=standby`, 'read-write'],
  ])('with %s is refused, without the value', (_, text, word) => {
    const problem = problemOf(readDatabaseUrl(text));
    expect(problem).toContain(word);
    expect(problem).not.toContain(CANARY);
  });

  it('takes another login for all its hosts', () => {
    expect(withLogin('postgres://u:p@a:1,[::1]:2/v?sslmode=require', 'x', 'ö@/')).toBe(
      'postgres://x:%C3%B6%40%2F@a:1,[::1]:2/v?sslmode=require',
    );
  });

  it('is read without the other settings as with them: empty is unset, a fault has the name of its variable', () => {
    expect(databaseUrls({ DATABASE_URL: 'postgres://a,b/v', DATABASE_OWNER_URL: '' })).toEqual({
      app: 'postgres://a,b/v',
      owner: null,
    });
    expect(() => databaseUrls({ DATABASE_OWNER_URL: `postgres://u:${CANARY}%@a/v` })).toThrow(
      /^(?!.*CANARY)[^]*DATABASE_OWNER_URL has a %/,
    );
  });
});

describe('a URL of Redis', () => {
  it.each([
    ['redis://redis.internal', { host: 'redis.internal', port: 6_379, db: 0 }],
    ['redis://:p%40ss@[::1]:7000/3', { host: '::1', port: 7_000, db: 3, password: 'p@ss' }],
    [
      'rediss://u:p@r?family=6',
      { host: 'r', port: 6_379, db: 0, username: 'u', password: 'p', family: 6, tls: {} },
    ],
  ])('%s', (text, server) => {
    expect(valueOf(readRedisUrl(text))).toEqual(server);
  });

  it.each([
    `redis://:${CANARY}%@r`,
    `redis://:${CANARY}@`,
    `redis://:${CANARY}@r/queue`,
    `redis://:${CANARY}@r?tls=true`,
    `redis://:${CANARY}@one,two:x`,
    `redis:${CANARY}`,
  ])('%s is refused, without the value', (text) => {
    const problem = problemOf(readRedisUrl(text));
    expect(problem).not.toBe('');
    expect(problem).not.toContain(CANARY);
  });
});

it('any other URL begins as it is compared: no capitals, no blank before it', () => {
  for (const text of ['HTTP://a.example', ' http://a.example', 'http:a.example', 'ftp://a.example']) {
    expect(problemOf(readUrl(text, ['https:', 'http:']))).toContain('must be a URL');
  }
  expect(valueOf(readUrl('https://a.example/x', ['https:', 'http:'])).href).toBe('https://a.example/x');
});
