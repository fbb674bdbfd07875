import { expect, it } from '@jest/globals';
import { crashSessions } from '../support/sessions-crash.js';

// The long form, with real leases, is test/heavy/sessions-crash.spec.ts.
it('a process killed under sessions loses nothing, leaves nothing over, and ends each of them once', async () => {
  const report = await crashSessions({
    kills: 2,
    people: 5,
    lives: (kill) => (kill === 0 ? 900 : 'CHECKS'),
    leases: 'end',
  });
  expect(report.uploads).toBe(10);
  expect(report.cutOff).toBeGreaterThan(0);
  expect(report.askedAgain).toBeGreaterThan(0);
});
