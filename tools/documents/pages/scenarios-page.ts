import { MAGIC_DOCUMENTS, madeUpCpf } from '../../../src/platform/kernel/index.js';
import { scenarioNames, scenarioOf } from '../../../src/features/kyt/index.js';

/** docs/generated/sandbox.md, from the table of scenarios. */
export function scenariosMarkdown(): string {
  const rows = scenarioNames.map((name) => {
    const { what, promises, events, then } = scenarioOf(name);
    const { status, verdict, defensible, reasons = [] } = promises;
    const comes = [verdict ?? status, ...(defensible === false ? ['not defensible'] : []), ...reasons];
    const told = events.map((event) => event.replace('kyt.transaction.', '')).join(', ');
    return `| \`${name}\` | ${[what, then].filter(Boolean).join(' ')} | ${comes.map((one) => `\`${one}\``).join(', ')} | ${told} |`;
  });
  return [
    '# The sandbox',
    '',
    'Generated from `src/features/kyt/domain/sandbox` by `npm run docs`.',
    '',
    'Name a scenario in `metadata.sandboxScenario` of a submission, and its inputs take the place of what you sent: the people, the amount, the device, what DICT says. The id, the channel, the time and your other metadata stay yours. Everything after that is the ordinary pipeline: rules, lists, receipts, events, cases. `GET /sandbox/scenarios` answers with this table.',
    '',
    '```sh',
    'curl -s http://127.0.0.1:3000/kyt/transactions/ingest?wait=5000 -H "x-client-id: $ID" -H "x-client-secret: $SECRET" -H "content-type: application/json" -d "{\\"transactionId\\":\\"sandbox-$(date +%s)\\",\\"type\\":\\"PIX_TRANSFER\\",\\"channel\\":\\"API\\",\\"amount\\":1,\\"currency\\":\\"BRL\\",\\"occurredAt\\":\\"$(date -u +%FT%TZ)\\",\\"origin\\":{},\\"destination\\":{},\\"metadata\\":{\\"sandboxScenario\\":\\"hold\\"}}"',
    '```',
    '',
    '| scenario | what happens | what comes of it | events |',
    '|---|---|---|---|',
    ...rows,
    '',
    'Each submission is about a customer of its own; `metadata.sandboxCustomer`, any text, makes several about the same one.',
    '',
    '## Magic documents',
    '',
    'Where no provider of checks is configured, the CPF decides how the checks of a session end. Sent as `cpfCnpj` with a scenario it is the customer’s. The same test picture may be sent for several of them, and as document and selfie; the name has to be that of the customer, which is `Ana Exemplo` in a scenario.',
    '',
    '| begins with | face, liveness, document |',
    '|---|---|',
    `| \`${MAGIC_DOCUMENTS.PASS}\` | pass |`,
    `| \`${MAGIC_DOCUMENTS.FAIL}\` | fail: a person has to look |`,
    `| \`${MAGIC_DOCUMENTS.AWAY}\` | the provider does not answer |`,
    '',
    `Such CPFs with right check digits: ${Object.values(MAGIC_DOCUMENTS).map(madeUp).join(', ')}.`,
    '',
    '## Webhooks that fail',
    '',
    'An endpoint with `?sandboxFailures=1` in its address is not asked at the first attempt of each delivery: it counts as answered with 500, and the event comes with the second attempt, five seconds later.',
    '',
    '## Where there are scenarios',
    '',
    'Where `ENVIRONMENT` is `sandbox`, and with `NODE_ENV=production` only with `SANDBOX_SCENARIOS=on`. Everywhere else a submission that names one is refused with 403 `SANDBOX_ONLY`, and nothing is stored. The promises need `br-starter`, the sample lists and the flows that ship; the demo organisation has them, `npm run vigia -- sandbox prepare --organisation KEY` gives them to another one, and `missing` of `GET /sandbox/scenarios` says what an organisation lacks.',
    '',
  ].join('\n');
}

const madeUp = (begin: string): string =>
  madeUpCpf(`${begin}000001`).replace(/(\d{3})(\d{3})(\d{3})(\d{2})/, '`$1.$2.$3-$4`');
