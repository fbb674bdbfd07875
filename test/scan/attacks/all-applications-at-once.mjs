import { call, countOf, credentials, many, payment } from './calls.mjs';

export const tries =
  'to get past the rate of an organisation by several applications with high rates of their own';

export async function attack({ url, hostile, victim }) {
  const ingest = (app) =>
    call(`${url}/kyt/transactions/ingest`, { headers: credentials(app), body: payment() });
  const from = performance.now();
  const answers = await many(600, (i) => ingest(i % 2 ? hostile.app : hostile.otherApp));
  const seconds = (performance.now() - from) / 1_000;
  // Three seconds of it at once, and what comes back meanwhile; what each process has in hand is little.
  const most = Math.ceil(hostile.requestsPerSecond * (3 + seconds)) + 10;
  const accepted = countOf(answers, 202);
  process.stdout.write(`  ${accepted} of 600 accepted, at most ${most} may be\n`);
  const findings = accepted > most ? [`${accepted} of 600 were accepted, ${most} may be`] : [];
  const own = await ingest(victim.app);
  if (own.status !== 202) findings.push(`a payment of somebody else is answered with ${own.status}`);
  return findings;
}
