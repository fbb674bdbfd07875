import { expect, it } from '@jest/globals';
import { crashSessions } from '../support/sessions-crash.js';

const KILLS = Number(process.env['VIGIA_KILLS'] ?? 12);
const PEOPLE = Number(process.env['VIGIA_PEOPLE'] ?? 40);

it(
  'killed during uploads, submissions and checks: nothing is lost, nothing left over, each session ends once',
  async () => {
    // Another moment each time, from the first start of the process that reads files on.
    const lives = (kill: number): number | 'CHECKS' =>
      kill % 2 === 1 ? 'CHECKS' : 500 + ((kill * 370) % 1_500);
    const report = await crashSessions({ kills: KILLS, people: PEOPLE, lives, leases: 'wait' });
    process.stdout.write(`${KILLS} kills, ${PEOPLE} sessions: ${JSON.stringify(report)}\n`);
    expect(report.cutOff).toBeGreaterThan(0);
    expect(report.askedAgain).toBeGreaterThan(0);
  },
  9 * 60_000,
);
