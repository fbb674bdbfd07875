import { call, countOf, from, word } from './calls.mjs';

export const tries =
  'to keep strangers from logging in by a flood of passwords from one network, or at one account';

const CALLERS = 60;
const LOGINS = 5;

export async function attack({ url, victim }) {
  const findings = [];
  const login = (email, password, address) =>
    call(`${url}/operator/auth/login`, { headers: from(address), body: { email, password } });
  let network = 0;
  /** The right password from a network that was never seen, some times; how many were let in. */
  const letIn = async () => {
    const answers = [];
    for (let i = 0; i < LOGINS; i += 1) {
      const address = `2001:db8:${(0x1000 + (network += 1)).toString(16)}::7`;
      answers.push(await login(victim.email, victim.password, address));
    }
    return countOf(answers, 200);
  };
  for (const [what, addressOf] of [
    ['nobody else', null],
    [
      'a flood from one /64 at any account',
      () =>
        `2001:db8:66:1::${word()
          .slice(0, 3)
          .replace(/[^0-9a-f]/g, '1')}`,
    ],
    ['a flood from one address at any account', () => '198.51.100.66'],
  ]) {
    let over = false;
    const statuses = {};
    const flood = async () => {
      while (!over && addressOf !== null) {
        const { status } = await login(`${word()}@example.com`, 'not-the-password', addressOf());
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    };
    const callers = Array.from({ length: CALLERS }, flood);
    const served = await letIn();
    over = true;
    await Promise.all(callers);
    process.stdout.write(
      `  beside ${what}: ${served} of ${LOGINS} let in; the flood got ${JSON.stringify(statuses)}\n`,
    );
    if (served < LOGINS)
      findings.push(`beside ${what} only ${served} of ${LOGINS} right passwords were let in`);
  }
  return findings;
}
