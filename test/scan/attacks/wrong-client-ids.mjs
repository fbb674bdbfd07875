import { call, countOf, credentials, from, many, payment, word } from './calls.mjs';

export const tries = 'to guess credentials of applications without end, by another id or address each time';

export async function attack({ url, hostile }) {
  const findings = [];
  const guess = (address) =>
    call(`${url}/kyt/transactions/ingest`, {
      headers: {
        ...credentials({ clientId: `guess-${word()}`, clientSecret: word() }),
        ...from(address),
      },
      body: {},
    });
  for (const [where, addressOf] of [
    ['one address', () => '198.51.100.7'],
    ['one /64', (i) => `2001:db8:77:1::${(i + 1).toString(16)}`],
  ]) {
    const begun = performance.now();
    const answers = await many(600, (i) => guess(addressOf(i)));
    const seconds = (performance.now() - begun) / 1_000;
    const [judged, refused] = [countOf(answers, 401), countOf(answers, 429)];
    process.stdout.write(`  ${where}: ${judged} of 600 judged, ${refused} refused as too many\n`);
    // Sixty a minute, and those that come back meanwhile.
    if (judged > 70 + seconds) findings.push(`${judged} of 600 wrong credentials of ${where} were judged`);
    if (refused === 0) findings.push(`of 600 wrong credentials of ${where} none were refused`);
    const own = await call(`${url}/kyt/transactions/ingest`, {
      headers: { ...credentials(hostile.app), ...from(addressOf(1)) },
      body: payment(),
    });
    if (own.status !== 202) findings.push(`valid credentials of ${where} are answered with ${own.status}`);
  }
  return findings;
}
