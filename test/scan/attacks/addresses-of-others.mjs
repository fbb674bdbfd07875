import { bearer, call, said, word } from './calls.mjs';

export const tries = 'to learn whether an address has an account in another organisation';

export async function attack({ url, hostile, victim }) {
  const findings = [];
  const addresses = [victim.email, `nobody-${word()}@example.com`];
  const ask = async (path, headers, bodyOf) => {
    const answers = [];
    for (const email of addresses) answers.push(await call(url + path, { headers, body: bodyOf(email) }));
    return answers;
  };
  for (const organisation of [victim.organisation, hostile.organisation, undefined]) {
    const password = 'not-the-password';
    const [known, unknown] = await ask('/operator/auth/login', {}, (email) => ({
      email,
      password,
      organisation,
    }));
    if (known.status !== 401) findings.push(`a wrong password is answered with ${known.status}`);
    if (said(known) !== said(unknown)) findings.push('a login tells a known address from an unknown one');
  }
  const [known, unknown] = await ask('/operator/invitations', bearer(hostile.accessToken), (email) => ({
    email,
    name: 'Ana',
    roles: ['ANALYST'],
    reason: 'Takes over the analysis desk in December.',
  }));
  if (known.status !== 202) findings.push(`an invitation is answered with ${known.status}`);
  if (known.status !== unknown.status)
    findings.push('an invitation tells a known address from an unknown one');
  return findings;
}
