import { call, countOf, credentials, many, word } from './calls.mjs';

export const tries = 'to have more webhook endpoints than an application may';

const MAY_HAVE = 20;

export async function attack({ url, hostile }) {
  const make = () =>
    call(`${url}/webhook-endpoints`, {
      headers: credentials(hostile.app),
      body: { url: `http://127.0.0.1:9009/${word()}` },
    });
  const answers = [...(await many(50, make)), ...(await many(10, make))];
  const made = countOf(answers, 201);
  process.stdout.write(`  ${made} of 60 made\n`);
  if (made > MAY_HAVE) return [`${made} endpoints were made where ${MAY_HAVE} may be`];
  return made === 0 ? ['no endpoint was made'] : [];
}
