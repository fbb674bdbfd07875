import { describe, expect, it } from '@jest/globals';
import { cpfOf, DICT } from '../../../../test/support/builders.js';
import type { CustomerRiskProfile } from '../../customers/index.js';
import { brStarter } from '../../rules/index.js';
import {
  Simulation,
  type EvaluatedEvent,
  type SimulationContext,
  type SimulationReport,
} from './simulation.js';

const event = (i: number, fields: Record<string, unknown> = {}): string =>
  JSON.stringify({
    transactionId: `s-${i}`,
    externalCustomerId: 'customer',
    cpfCnpj: '52998224725',
    type: 'PIX_TRANSFER',
    channel: 'MOBILE_APP',
    amount: 9_900,
    currency: 'BRL',
    occurredAt: `2026-11-19T12:${String(i).padStart(2, '0')}:00-03:00`,
    origin: { cpfCnpj: '52998224725', accountReference: '1', country: 'BR' },
    destination: {
      name: `Loja ${i}`,
      cpfCnpj: cpfOf(`shop-${i}`),
      accountReference: `2-${i}`,
      country: 'BR',
    },
    metadata: { deviceId: 'd', ipAddress: '203.0.113.1', deviceRegistered: true, dict: DICT },
    ...fields,
  });

async function simulated(lines: readonly string[]): Promise<SimulationReport> {
  const simulation = new Simulation(brStarter);
  for (const line of lines) await simulation.add(line);
  return simulation.report();
}
const hitsOf = ({ rules }: SimulationReport, key: string): number | undefined =>
  rules.find((rule) => rule.key === key)?.hits;

describe('A simulation', () => {
  it('judges each event by what the file said before it', async () => {
    const report = await simulated(Array.from({ length: 10 }, (_, i) => event(i)));
    expect(report).toMatchObject({
      snapshots: 10,
      refused: 0,
      outcomeCounts: { APPROVED: 1, CHALLENGED: 1, REVIEW: 8 },
    });
    expect([hitsOf(report, 'BR-STR-08'), hitsOf(report, 'BR-STR-09'), hitsOf(report, 'BR-VEL-10')]).toEqual([
      6, 5, 1,
    ]);
    expect(hitsOf(report, 'BR-PIX-32')).toBe(8);
    expect(report.alertsPerDay).toEqual([{ day: '2026-11-19', transactions: 10, live: 0, tested: 8 }]);
  });

  it('keeps customers apart, and forgets what is out of the window', async () => {
    const others = Array.from({ length: 6 }, (_, i) =>
      event(i, { externalCustomerId: `c-${i}`, cpfCnpj: null }),
    );
    expect(hitsOf(await simulated(others), 'BR-STR-09')).toBe(0);
    const old = Array.from({ length: 5 }, (_, i) => event(i));
    const later = event(9, { occurredAt: '2026-11-21T12:00:00-03:00' });
    expect(hitsOf(await simulated([...old, later]), 'BR-STR-09')).toBe(0);
  });

  it('takes ids of one document for one customer, also where a line leaves the document out', async () => {
    const ids = Array.from({ length: 6 }, (_, i) => event(i, { externalCustomerId: `c-${i}` }));
    expect(hitsOf(await simulated(ids), 'BR-STR-09')).toBe(1);
    const alone = event(6, { externalCustomerId: 'c-3', cpfCnpj: null });
    expect(hitsOf(await simulated([...ids, alone]), 'BR-STR-09')).toBe(2);
    const before = event(0, { externalCustomerId: 'c-5', cpfCnpj: null });
    expect(hitsOf(await simulated([before, ...ids.slice(1)]), 'BR-STR-09')).toBe(1);
  });

  it('knows what was declared and what a dollar is worth when it is told, and tells of each event', async () => {
    const abroad = { type: 'FX_OUTBOUND', amount: 12_000 };
    const told: EvaluatedEvent[] = [];
    const judged = async (known: SimulationContext): Promise<SimulationReport> => {
      const simulation = new Simulation(brStarter, known, (one) => told.push(one));
      await simulation.add(event(1, abroad));
      return simulation.report();
    };
    expect((await judged({})).outcomeCounts).toEqual({ REVIEW: 1 });
    const declared = {
      ...{ monthlyIncome: 20_000, monthlyRevenue: null, nightLimit: null, nightStartHour: null, pep: false },
      asOf: '2026-11-01T00:00:00Z',
    };
    const standing: CustomerRiskProfile = {
      ...{ declared, birthDate: null, nationalities: [], riskLevel: 'LOW', riskSingleControl: false },
      confirmed: null,
    };
    const standings = new Map([['52998224725', standing]]);
    expect((await judged({ standings })).outcomeCounts).toEqual({ REVIEW: 1 });
    expect((await judged({ dollar: 5.4 })).outcomeCounts).toEqual({ REVIEW: 1 });
    expect((await judged({ standings, dollar: 5.4 })).outcomeCounts).toEqual({ APPROVED: 1 });
    expect(told.map(({ outcome }) => outcome)).toEqual(['REVIEW', 'REVIEW', 'REVIEW', 'APPROVED']);
    expect(told[3]).toEqual({ transactionId: 's-1', outcome: 'APPROVED', hits: ['BR-GEO-22'] });
  });

  it('names lines that are no submissions, and goes on', async () => {
    const report = await simulated(['{', '', event(1, { amount: -1 }), event(2)]);
    expect(report).toMatchObject({
      snapshots: 1,
      refused: 2,
      refusedLines: [
        { line: 1, problem: 'not JSON' },
        { line: 3, problem: expect.stringMatching(/^amount: /) },
      ],
    });
  });
});
