import { setTimeout } from 'node:timers/promises';
import { codeAt, CODE_SECONDS } from '../../src/features/operators/index.js';
import { callService, type OperatorResponse } from '../../src/cli/operator-api-client.js';
import { readDemoCredentials, type DemoOperator } from './seed-demo.js';

function findDemoOperator(dataDir: string, who: string): DemoOperator & { readonly baseUrl: string } {
  const { baseUrl, operators } = readDemoCredentials(dataDir);
  const operator = operators.find(
    ({ email, role }) => role === who.toUpperCase() || email.split('@')[0] === who,
  );
  if (operator) return { ...operator, baseUrl };
  const names = operators.map(({ email }) => email.split('@')[0]).join(', ');
  throw new Error(`There is no demo operator ${who}; there are: ${names}.`);
}

const msUntilNextCode = (): number => 1_000 * CODE_SECONDS - (Date.now() % (1_000 * CODE_SECONDS));

/** Returns what a person types at the sign-in page of the console, and until when the code holds. */
export function demoSignIn(dataDir: string, who: string): string {
  const { baseUrl, email, password, totpSecret } = findDemoOperator(dataDir, who);
  const seconds = Math.ceil(msUntilNextCode() / 1_000);
  return [
    `Sign in:  ${baseUrl}/console`,
    `E-mail:   ${email}`,
    `Password: ${password}`,
    `Code:     ${codeAt(totpSecret, Date.now())}   (for ${seconds} s and half a minute more, once)`,
  ].join('\n');
}

/**
 * Logs in as a demo operator at the running service; returns the access token. A code is valid once, so the next one is
 * waited for, half a minute at most, where this one is refused.
 */
export async function demoLogin(dataDir: string, who: string): Promise<string> {
  const { baseUrl, email, password, totpSecret } = findDemoOperator(dataDir, who);
  const logIn = (): Promise<OperatorResponse<{ accessToken: string }>> =>
    callService(`${baseUrl}/operator/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password, totp: codeAt(totpSecret, Date.now()) }),
    });
  let answer = await logIn();
  if (answer.error?.code === 'CREDENTIALS_INVALID') {
    const waitMs = msUntilNextCode();
    process.stderr.write(
      `${email} was refused: a code is good once. The next one comes in ${Math.ceil(waitMs / 1_000)} s.\n`,
    );
    await setTimeout(waitMs);
    answer = await logIn();
  }
  if (!answer.data) throw new Error(`The login was refused: ${answer.error?.code ?? '?'}.`);
  return answer.data.accessToken;
}
