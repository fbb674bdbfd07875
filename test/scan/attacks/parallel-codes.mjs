import { bearer, call, countOf, many } from './calls.mjs';

export const tries = 'to have more codes judged at once than one after the other';

export async function attack({ url, hostile }) {
  const answers = await many(400, (i) =>
    call(`${url}/operator/me/step-up`, {
      headers: bearer(hostile.accessToken),
      body: { totp: String(i).padStart(6, '0') },
    }),
  );
  const judged = countOf(answers, 400);
  process.stdout.write(`  ${judged} of 400 judged\n`);
  const findings = judged > 6 ? [`${judged} of 400 codes at once were judged`] : [];
  if (judged === 0 || countOf(answers, 200) > 0) findings.push('the codes were not judged as wrong');
  return findings;
}
