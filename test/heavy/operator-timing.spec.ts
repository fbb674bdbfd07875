import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ClientAppsService } from '../../src/features/auth/index.js';
import { UnitOfWork } from '../../src/platform/database/index.js';
import {
  systemActorContext,
  COMMAND_LINE,
  OperatorsService,
  Passwords,
} from '../../src/features/operators/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { figure } from '../support/figure.js';
import { areaUnderCurve, median } from '../support/timing.js';

const PAIRS = Number(process.env['VIGIA_TIMING_PAIRS'] ?? 400);
const WARM_UP = 20;
const WRONG = 'vento-largo-91-cerrado';

let t: TestApp;
let known: string;

beforeAll(async () => {
  t = await startTestApp({ settings: { role: 'api' } });
  const organisationId = await t.app.get(ClientAppsService).ensureOrganisation('timing', 'timing');
  const passwordHash = await t.app.get(Passwords).hash('jardim-cobre-7-planalto', COMMAND_LINE);
  known = 'someone@example.com';
  const person = { organisationId, email: known, name: 'Someone', roles: ['ADMIN'] as const, passwordHash };
  await t.app
    .get(UnitOfWork)
    .run(organisationId, (tx) =>
      t.app.get(OperatorsService).addPerson(tx, person, systemActorContext('test')),
    );
});

afterAll(async () => {
  await t.close();
});

/** Milliseconds until a wrong password for this address is refused. */
async function refusalTime(email: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${t.url}/operator/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: WRONG }),
  });
  await response.arrayBuffer();
  expect(response.status).toBe(401);
  return performance.now() - startedAt;
}

it('how long a refusal takes does not say which accounts exist', async () => {
  const times = { known: [] as number[], unknown: [] as number[] };
  for (let pair = 0; pair < WARM_UP + PAIRS; pair += 1) {
    // Without the locks, which would end the measurement and are alike for both.
    await t.owner.query('DELETE FROM operator_login_throttles');
    const order = pair % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
    for (const which of order) {
      const ms = await refusalTime(which === 'known' ? known : `nobody-${pair}@example.com`);
      if (pair >= WARM_UP) times[which].push(ms);
    }
  }
  const [ofKnown, ofUnknown] = [median(times.known), median(times.unknown)];
  const difference = Math.abs(ofKnown - ofUnknown) / ofUnknown;
  const auc = areaUnderCurve(times.known, times.unknown);
  figure(
    `${PAIRS} pairs: median ${ofKnown.toFixed(1)} ms known, ${ofUnknown.toFixed(1)} ms unknown, ` +
      `difference ${(difference * 100).toFixed(1)} %, AUC ${auc.toFixed(3)}`,
  );
  expect(difference).toBeLessThanOrEqual(0.1);
  expect(auc).toBeGreaterThan(0.35);
  expect(auc).toBeLessThan(0.65);
}, 600_000);
