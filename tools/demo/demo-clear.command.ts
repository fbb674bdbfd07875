import { clearCases } from './clear-cases.js';
import { demoLogin } from './demo-sign-in.js';
import { readDemoCredentials } from './seed-demo.js';
import { OperatorApiClient } from '../../src/cli/operator-api-client.js';

/** Closes the cases that the demo has made through the running service; returns the exit status. */
export async function clearDemo(dataDir: string): Promise<number> {
  const { baseUrl } = readDemoCredentials(dataDir);
  const as = async (who: string): Promise<OperatorApiClient> =>
    OperatorApiClient.with(baseUrl, await demoLogin(dataDir, who));
  const { closed, others, left } = await clearCases(await as('analyst'), await as('officer'));
  process.stdout.write(`${closed} ${closed === 1 ? 'case' : 'cases'} closed\n`);
  if (others > 0) process.stdout.write(`${others} left open: not of the demo\n`);
  for (const [reason, count] of left) process.stdout.write(`${count} left open: ${reason}\n`);
  return left.size === 0 ? 0 : 1;
}
