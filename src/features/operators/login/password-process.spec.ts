import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Settings } from '../../../platform/config/index.js';
import { PasswordProcess, type PasswordTask } from './password-process.js';

const PER_SECOND = 10;
// Cheap, because it is the turns that are looked at.
const task: PasswordTask = {
  kind: 'hash',
  password: 'jardim-cobre-7-planalto',
  options: { memoryCost: 8, timeCost: 1, parallelism: 1 },
};

let passwords: PasswordProcess;

beforeEach(() => {
  passwords = new PasswordProcess({ strangerPasswordsPerSecond: PER_SECOND } as Settings);
});

afterEach(() => {
  passwords.onApplicationShutdown();
});

const stranger = (i: number): Promise<unknown> =>
  passwords.perform(task, { ip: `198.51.100.${i}`, known: false });
const known = (): Promise<unknown> => passwords.perform(task, { ip: '203.0.113.7', known: true });

describe('the work on passwords', () => {
  it('of strangers is held to a rate after ten at once', async () => {
    await stranger(0); // the process is there
    const begun = performance.now();
    await Promise.all(Array.from({ length: 10 + PER_SECOND }, (_, i) => stranger(i)));
    expect(performance.now() - begun).toBeGreaterThan(800);
  });

  it('of those who are known goes before it, and is not held', async () => {
    const done: string[] = [];
    const guesses = Array.from({ length: 10 + PER_SECOND }, (_, i) =>
      stranger(i).then(() => done.push('guess')),
    );
    const logins = Array.from({ length: 5 }, () => known().then(() => done.push('login')));
    await Promise.all([...guesses, ...logins]);
    // The first guess was under way already.
    expect(done.slice(0, 6)).toEqual(['guess', 'login', 'login', 'login', 'login', 'login']);
  });

  it.each([
    ['with nobody else', () => []],
    [
      'during a flood from one /64, of all its addresses and at any account',
      () =>
        Array.from({ length: 200 }, (_, i) =>
          passwords.perform(task, {
            ip: `2001:db8:0:1::${i.toString(16)}`,
            account: `a${i}@example.com`,
            known: false,
          }),
        ),
    ],
    [
      'during a flood from everywhere at one account',
      () =>
        Array.from({ length: 200 }, (_, i) =>
          passwords.perform(task, { ip: `198.51.100.${i}`, account: 'victim@example.com', known: false }),
        ),
    ],
  ])('of a stranger from elsewhere is served among the first: %s', async (_, flood) => {
    const done: string[] = [];
    const attack = flood().map((one) =>
      one.then(
        () => done.push('guess'),
        () => undefined,
      ),
    );
    const ana = { ip: '2001:db8:ffff::7', account: 'ana@example.com', known: false };
    await passwords.perform(task, ana).then(() => done.push('ana'));
    // One is under way, one has the same turn.
    expect(done.indexOf('ana')).toBeLessThanOrEqual(2);
    passwords.onApplicationShutdown();
    await Promise.all(attack);
  });

  it('of one invitation, sent from everywhere, holds up neither those who are known nor strangers', async () => {
    const done: string[] = [];
    const attack = Array.from({ length: 200 }, (_, i) =>
      passwords.perform(task, { ip: `198.51.100.${i}`, account: 'invitation 1', known: true }).then(
        () => done.push('guess'),
        () => undefined,
      ),
    );
    const ana = passwords
      .perform(task, { ip: '203.0.113.7', account: 'ana', known: true })
      .then(() => done.push('ana'));
    const bia = stranger(250).then(() => done.push('bia'));
    await Promise.all([ana, bia]);
    expect(done.indexOf('ana')).toBeLessThanOrEqual(2);
    expect(done.indexOf('bia')).toBeLessThanOrEqual(11);
    passwords.onApplicationShutdown();
    await Promise.all(attack);
  });

  it('is refused with OVERLOADED when one network has eight waiting, whatever others do', async () => {
    const answers = await Promise.allSettled([
      ...Array.from({ length: 10 }, () => known()),
      ...Array.from({ length: 5 }, (_, i) => stranger(i)),
    ]);
    // One is under way, eight wait.
    expect(answers.map(({ status }) => status)).toEqual([
      ...new Array<string>(9).fill('fulfilled'),
      'rejected',
      ...new Array<string>(5).fill('fulfilled'),
    ]);
    expect(answers[9]).toMatchObject({ reason: { code: 'OVERLOADED' } });
  });

  it('that waits when the service stops is refused', async () => {
    const waiting = Array.from({ length: 4 }, (_, i) => stranger(i));
    passwords.onApplicationShutdown();
    for (const one of waiting) await expect(one).rejects.toMatchObject({ code: 'NOT_READY' });
  });
});
