import type { VigiaClient, WebhookEventType } from '../../node/src/index.js';
import type { components } from '../../node/src/schema.js';
import { note, pause, say, type Output } from './terminal.js';

type Scenarios = components['schemas']['ScenariosView'];
type Scenario = Scenarios['scenarios'][number];
type TestEvent = components['schemas']['TestEventView'];

export interface TriggerOptions extends Output {
  readonly customer?: string;
  readonly cpf?: string;
  readonly wait: boolean;
}

const LONGEST_MS = 60_000;

/** Sends a transaction with a scenario of the sandbox, waits for what it promises, and shows it; returns the exit status. */
export async function triggerScenario(
  client: VigiaClient,
  name: string,
  { customer, cpf, wait, ...output }: TriggerOptions,
  stop: AbortSignal,
): Promise<number> {
  const { scenarios, missing } = await catalogue(client);
  const scenario = scenarios.find((one) => one.name === name);
  if (!scenario) {
    throw new Error(
      `There is no scenario ${name}. There are: ${scenarios.map((one) => one.name).join(', ')}.`,
    );
  }
  for (const one of missing) note(`the organisation lacks ${one}: the promise may not hold`);
  const transactionId = `${name}-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
  await client.ingest({
    transactionId,
    type: 'PIX_TRANSFER',
    channel: 'API',
    amount: 1,
    currency: 'BRL',
    occurredAt: new Date().toISOString(),
    origin: {},
    destination: {},
    ...(cpf === undefined ? {} : { cpfCnpj: cpf }),
    metadata: { sandboxScenario: name, ...(customer === undefined ? {} : { sandboxCustomer: customer }) },
  });
  if (!wait) {
    say(output, `${transactionId} is accepted`, { transactionId, scenario: name });
    return 0;
  }
  return follow(client, transactionId, scenario, output, stop);
}

/** Lists the scenarios. */
export async function listScenarios(client: VigiaClient, output: Output): Promise<void> {
  for (const scenario of (await catalogue(client)).scenarios) {
    say(
      output,
      `${scenario.name.padEnd(18)}${scenario.verdict ?? scenario.status}  ${scenario.what}`,
      scenario,
    );
  }
}

/** Has a made-up event of that type sent to an endpoint, or to all that are in use. */
export async function triggerEvent(
  client: VigiaClient,
  type: WebhookEventType,
  { endpoint, ...output }: Output & { readonly endpoint?: string },
): Promise<void> {
  const ids: string[] = endpoint === undefined ? [] : [endpoint];
  if (endpoint === undefined) {
    for await (const { id, status } of client.endpoints()) if (status === 'ACTIVE') ids.push(id);
  }
  if (ids.length === 0) throw new Error('No endpoint is in use: make one, or run listen.');
  for (const id of ids) {
    const path = `/webhook-endpoints/${encodeURIComponent(id)}/test`;
    const sent = await client.send<TestEvent>({ method: 'POST', path, body: { type } });
    say(output, `${type} is on its way to ${id}`, { endpointId: id, ...sent });
  }
}

const catalogue = (client: VigiaClient): Promise<Scenarios> =>
  client.send<Scenarios>({ method: 'GET', path: '/sandbox/scenarios' });

async function follow(
  client: VigiaClient,
  transactionId: string,
  scenario: Scenario,
  output: Output,
  stop: AbortSignal,
): Promise<number> {
  const until = Date.now() + LONGEST_MS;
  for (let shown = ''; !stop.aborted && Date.now() < until;) {
    const { status, verdict, defensible, nextAction } = await client.transaction(transactionId);
    const now = `${transactionId}  ${status}${verdict === null ? '' : `  ${verdict}`}`;
    if (status === scenario.status && verdict === scenario.verdict) {
      say(output, now, { transactionId, status, verdict, defensible, nextAction });
      if (scenario.then !== null) note(scenario.then);
      return 0;
    }
    if (now !== shown) note(now);
    shown = now;
    await pause(500, stop);
  }
  note(`${transactionId} did not become ${scenario.verdict ?? scenario.status} within a minute`);
  return 1;
}
