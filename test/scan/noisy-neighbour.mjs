/**
 * Every route of one organisation that costs, as fast as its callers can, until it is told to stop; a process of its own,
 * beside the one that measures. test/heavy/hostile-neighbour.spec.ts runs it.
 *
 *   plan   { url, app, token, link, photo, callers, only }
 *   sent   after 'stop': { [what]: { [status]: count } }
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { bearer, call, credentials, payment, word } from './attacks/calls.mjs';

const [{ url, app, token, link, photo, callers, only }] = await once(process, 'message');
let going = true;
process.once('message', () => (going = false));
process.once('disconnect', () => process.exit(1));

const own = { headers: credentials(app) };
const asOfficer = { headers: bearer(token) };
const reason = 'Everything, again and again.';
const upload = async () => {
  const form = new FormData();
  form.set('file', new Blob([Buffer.from(photo, 'base64')], { type: 'image/jpeg' }), 'a.jpg');
  const answer = await fetch(`${url}/kyc-sessions/${link}/upload`, { method: 'POST', body: form });
  return { status: answer.status, text: await answer.text() };
};

const routes = {
  ingest: () => call(`${url}/kyt/transactions/ingest`, { ...own, body: payment() }),
  decision: () => call(`${url}/kyt/transactions/ingest?wait=1000`, { ...own, body: payment() }),
  batch: () =>
    call(`${url}/kyt/transactions/ingest/batch`, { ...own, body: Array.from({ length: 100 }, payment) }),
  export: () => call(`${url}/operator/audit/exports`, { ...asOfficer, body: { reason, auditReady: false } }),
  backtest: () => call(`${url}/operator/rulesets/br-first/versions/1/backtests`, { ...asOfficer, body: {} }),
  session: () => call(`${url}/operator/kyc-sessions`, { ...asOfficer, body: { flowKey: 'onboarding-pf' } }),
  upload,
  endpoint: () =>
    call(`${url}/webhook-endpoints`, { ...own, body: { url: `http://127.0.0.1:9009/${word()}` } }),
  search: () => call(`${url}/operator/transactions?limit=100`, asOfficer),
  figures: () => call(`${url}/operator/figures/compliance?from=2026-01-01&to=2026-11-20`, asOfficer),
  wrong: () =>
    call(`${url}/kyt/transactions/ingest`, {
      headers: { ...own.headers, 'x-client-id': `guess-${word()}` },
      body: {},
    }),
  login: () =>
    call(`${url}/operator/auth/login`, {
      body: { email: `${word()}@example.com`, password: 'not-the-password' },
    }),
};
const names = Object.keys(routes).filter((name) => only.length === 0 || only.includes(name));

const statuses = {};
const caller = async (i) => {
  for (let n = i; going; n += 1) {
    const name = names[n % names.length];
    const { status } = await routes[name]().catch(() => ({ status: 0 }));
    const of = (statuses[name] ??= {});
    of[status] = (of[status] ?? 0) + 1;
    // A refusal is answered faster than anybody sends over a network.
    await sleep(5);
  }
};
await Promise.all(Array.from({ length: callers }, (_, i) => caller(i)));
process.send(statuses);
process.disconnect();
