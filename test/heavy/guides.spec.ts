import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readGuides } from '#vigia/site';
import { reservedPort } from '../support/ports.mjs';
import { root, StartedClone } from '../support/started-clone.js';

/** Pieces and commands that are not typed here, by document and beginning, and why. */
const NOT_TYPED: readonly (readonly [file: string, begins: RegExp, why: string])[] = [
  ['README.md', /./, 'read-me.spec.ts types it'],
  [
    'docs/integrating.md',
    /^(SECRET=|send |read_back|TOKEN=|npm run vigia -- (demo|dead-letters))/,
    'read-me.spec.ts types it',
  ],
  [
    'docs/operators.md',
    /^curl .*auth\/setup/,
    'needs the token that a first start of an installation prints',
  ],
  ['docs/running.md', /^openssl req/, 'starts a second service, for a phone'],
  ['docs/production.md', /^umask/, 'needs Docker and images from the internet'],
  ['docs/releases.md', /^digest/, 'needs Docker and images from the internet'],
  ['docs/production.md', /^export NODE_ENV/, 'production-commands.spec.ts runs it'],
  ['docs/security-testing.md', /^apt-get/, 'needs wapiti and sqlmap, and twenty minutes'],
  ['docs/screening.md', /^npm run bench/, 'needs the files of the authorities'],
  ['docs/performance.md', /^npm run bench/, 'needs the machine for itself, for an hour'],
  ['docs/audit.md', /^npm run vigia -- audit restart-log/, 'needs a log that was restored from a backup'],
  ['CONTRIBUTING.md', /^npm ci/, 'installs what is installed, and does not end'],
];

interface Piece {
  readonly file: string;
  readonly commands: readonly string[];
}

let clone: StartedClone;
let words: readonly (readonly [string | RegExp, string])[];
const variables: Record<string, string> = {};
/** The newest id of each kind that a command has printed: where a document shows one, it stands for the own. */
const ids = new Map<string, string>();

beforeAll(async () => {
  clone = await StartedClone.start();
  const fixtures = path.join(root, 'test/fixtures/lists');
  for (const [from, to] of [
    ['ofac-sdn.csv', 'sdn.csv'],
    ['ofac-alt.csv', 'alt.csv'],
    ['un-consolidated.xml', 'consolidated.xml'],
  ] as const) {
    copyFileSync(path.join(fixtures, from), path.join(clone.folder, to));
  }
  const { clientId, clientSecret } = JSON.parse(
    readFileSync(path.join(clone.folder, '.data/demo-credentials.json'), 'utf8'),
  ) as { clientId: string; clientSecret: string };
  Object.assign(variables, { ID: clientId, SECRET: clientSecret, SIGNING_SECRET: 'whsec_made_up' });
  for (const [name, who] of [
    ['TOKEN', 'officer'],
    ['ADMIN_TOKEN', 'admin'],
  ] as const) {
    variables[name] = (await clone.vigia('operators', 'login', who)).trim();
  }
  await prepare();
  const status = JSON.parse(await operator('/operator/audit/status')) as {
    data: { keys: readonly unknown[]; checkpoint: { note: string } };
  };
  write('kept-webhook.json', status.data.checkpoint.note);
  const pin = /\S+\+[0-9a-f]{8}\+\S+/.exec(await clone.vigia('audit', 'status'))?.[0] ?? '';
  words = [
    [/https:\/\/hooks\.acme\.example/g, `http://127.0.0.1:${await reservedPort()}`],
    ['https://vigia.example', `http://${clone.host}`],
    [/(localhost|127\.0\.0\.1):3000/g, clone.host],
    ['node dist/src/cli/main.js', 'node scripts/vigia.mjs'],
    ['<key>', pin],
  ];
}, 900_000);

afterAll(() => clone.close());

const write = (name: string, text: string): void => {
  writeFileSync(path.join(clone.folder, name), text);
};

async function operator(route: string, body?: string): Promise<string> {
  const answer = await fetch(`http://${clone.host}${route}`, {
    ...(body === undefined ? {} : { method: 'POST', body }),
    headers: { authorization: `Bearer ${variables['TOKEN'] ?? ''}`, 'content-type': 'application/json' },
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${route}: ${answer.status} ${text}`);
  return text;
}

/** Does what the documents did before, in words: a transaction, a file of events, the rule of writing-rules.md. */
async function prepare(): Promise<void> {
  const event = (transactionId: string): string =>
    JSON.stringify({
      ...{ transactionId, type: 'PIX_TRANSFER', channel: 'WEB', amount: 10, currency: 'BRL' },
      ...{ occurredAt: new Date().toISOString(), origin: {}, destination: {} },
    });
  write('body.json', event('made-up'));
  write('november.ndjson', `${event('n-1')}\n${event('n-2')}\nnot JSON\n`);
  write('rates.csv', `${new Date().toISOString().slice(0, 10)},USD,5.45\n`);
  write('token', variables['TOKEN'] ?? '');
  await fetch(`http://${clone.host}/kyt/transactions/ingest?wait=5000`, {
    method: 'POST',
    body: event('pix-1001'),
    headers: {
      ...{ 'x-client-id': variables['ID'] ?? '', 'x-client-secret': variables['SECRET'] ?? '' },
      'content-type': 'application/json',
    },
  });
  const rule = /^```json\n(\{\n {2}"key": "HOUSE-PIX-01"[\s\S]*?)^```$/m.exec(
    readFileSync(path.join(root, 'docs/writing-rules.md'), 'utf8'),
  )?.[1];
  await operator('/operator/rules', rule);
  await operator('/operator/rules/HOUSE-PIX-01/versions', '{}');
  await operator(
    '/operator/rulesets',
    '{"key":"br-starter","putRules":[{"key":"HOUSE-PIX-01","version":1}]}',
  );
  // A draft as well, for the dry run.
  await operator('/operator/rules', rule);
}

/** The pieces of a document that somebody types into a shell. */
function piecesOf({ file, text }: { file: string; text: string }): Piece[] {
  const fences = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)];
  return fences.flatMap(([, language = '', code = '']) => {
    const isTyped =
      ['bash', 'sh', 'shell', 'console'].includes(language) ||
      (language === '' && /^(\$ |npm |npx |curl |vigia |docker |node )/.test(code));
    return isTyped ? [{ file, commands: commandsOf(code) }] : [];
  });
}

/** One command after the other: what is shown after a prompt, or each line; with the lines that it goes on in. */
function commandsOf(code: string): string[] {
  const lines = code.trim().split('\n');
  const hasPrompts = lines.some((line) => line.startsWith('$ '));
  const commands: string[] = [];
  let open = '';
  for (const line of lines) {
    if (open === '' && hasPrompts && !line.startsWith('$ ')) continue;
    open += open === '' ? line.replace(/^\$ /, '') : `\n${line}`;
    const isOver = !open.endsWith('\\') && (open.match(/'/g) ?? []).length % 2 === 0;
    if (!isOver) continue;
    if (open.trim() !== '' && !open.startsWith('#')) commands.push(open);
    open = '';
  }
  return commands;
}

const own = (command: string): string =>
  words.reduce((text, [from, to]) => text.replaceAll(from as string, to), command);

const ID_OF = /\b(bkt_|apr_|app-)[0-9a-f.…]+/g;

/** Types one command as it stands there, with the own host, key and ids; returns what it printed. */
async function typed(command: string, defined: string): Promise<string> {
  // In a clone the command line of integrators is called like this, unless the document says what it calls so.
  const called = defined === '' ? command.replace(/^vigia /, 'npm run --silent vigia -- client ') : command;
  const text = own(called).replaceAll(ID_OF, (shown, kind: string) => ids.get(kind) ?? shown);
  const TOKEN = command.includes('/client-apps') ? variables['ADMIN_TOKEN'] : variables['TOKEN'];
  const printed = await clone.shell(`set -euo pipefail\n${defined}\n${text}`, { ...variables, TOKEN });
  for (const [id, kind = ''] of printed.matchAll(ID_OF)) ids.set(kind, id);
  const { nextCursor } = /"nextCursor":"(?<nextCursor>[^"]+)"/.exec(printed)?.groups ?? {};
  if (nextCursor !== undefined) variables['CURSOR'] = nextCursor;
  return printed;
}

it('every command of every guide works as it stands there, or is named here with the reason', async () => {
  // A translation has the same code, which tools/documents/translations.spec.ts holds.
  const pieces = readGuides()
    .filter(({ lang }) => lang === 'en')
    .flatMap(piecesOf);
  // The first organisation is made there; others use it.
  pieces.sort((a, b) => Number(b.file === 'docs/production.md') - Number(a.file === 'docs/production.md'));
  const unused = new Set(NOT_TYPED);
  const failed: string[] = [];
  let count = 0;
  const isExcused = (file: string, command = ''): boolean => {
    const excused = NOT_TYPED.find(([of, begins]) => of === file && begins.test(command));
    if (excused) unused.delete(excused);
    return excused !== undefined;
  };
  for (const { file, commands } of pieces) {
    // Without its first command the rest of a piece is not to be had.
    if (isExcused(file, commands[0])) continue;
    let defined = '';
    for (const command of commands) {
      if (isExcused(file, command)) continue;
      if (/^\w+\(\) \{/.test(command)) {
        defined += `${own(command)}\n`;
        continue;
      }
      count += 1;
      const said = await typed(command, defined).then(
        (printed) => (printed.includes('"error":{') ? printed : null),
        // The message has the whole script.
        (error: unknown) => String((error as { stderr?: unknown }).stderr),
      );
      if (said !== null) failed.push(`${file}: ${command}\n${said}`);
    }
  }
  expect(failed.join('\n\n')).toBe('');
  expect([...unused].map(([file]) => file)).toEqual([]);
  expect(count).toBeGreaterThan(25);
}, 1_200_000);
