/**
 * `npm run test:scan -- [--url URL] [--data-dir DIR] [--only wapiti|sqlmap] [--match REGEX] [--budget SECONDS]
 * [--level 1..5] [--risk 1..3] [--done FILE]`: wapiti and sqlmap (Debian: `apt-get install wapiti sqlmap`) against a running
 * service, with the credentials of its demo application and of its demo administrator. What they are pointed at comes from
 * the service's own OpenAPI documents. What sqlmap came to the end of stands in the file, a line each, and is left out when
 * it is run again: a scan of everything may be done in pieces. Ends with 1 when either reports a finding.
 */
import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));
const say = (text) => process.stdout.write(`${text}\n`);

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:3000' },
    'data-dir': { type: 'string', default: '.data' },
    only: { type: 'string' },
    match: { type: 'string', default: '' },
    budget: { type: 'string', default: '600' },
    level: { type: 'string', default: '3' },
    risk: { type: 'string', default: '2' },
    done: { type: 'string' },
  },
});
const dataDir = path.resolve(options['data-dir']);
const out = fs.mkdtempSync(path.join(os.tmpdir(), 'vigia-scan-'));

const { clientId, clientSecret } = JSON.parse(
  fs.readFileSync(path.join(dataDir, 'demo-credentials.json'), 'utf8'),
);

/** An access token is good for ten minutes; a code of the second factor logs in once, so it is kept for a while. */
const MAX_TOKEN_AGE_MS = 5 * 60_000;
let token = { text: '', since: -Infinity };

async function operatorToken() {
  if (performance.now() - token.since < MAX_TOKEN_AGE_MS) return token.text;
  const args = [path.join(root, 'dist/src/cli/main.js'), 'operators', 'login', 'admin'];
  const env = { ...process.env, DATA_DIR: dataDir, PORT: new URL(options.url).port };
  const logIn = () => promisify(execFile)(process.execPath, args, { env, cwd: root });
  const { stdout } = await logIn().catch(async () => {
    // The code of these 30 seconds was used before.
    await sleep(31_000);
    return logIn();
  });
  token = { text: stdout.trim().split('\n').at(-1), since: performance.now() };
  return token.text;
}

async function headersFor(template) {
  return template.startsWith('/operator/')
    ? [`authorization: Bearer ${await operatorToken()}`]
    : [`x-client-id: ${clientId}`, `x-client-secret: ${clientSecret}`];
}

/** Every operation of both documents, with an example for each of its parameters. */
async function operations() {
  const all = [];
  for (const file of ['/openapi.json', '/operator/openapi.json']) {
    const document = await (await fetch(options.url + file)).json();
    const resolve = (schema) =>
      schema?.$ref ? resolve(document.components.schemas[schema.$ref.split('/').at(-1)]) : (schema ?? {});
    const example = (given, depth = 0) => {
      const schema = resolve(given.allOf?.[0] ? { ...resolve(given.allOf[0]), ...given } : given);
      if (schema.example !== undefined) return schema.example;
      if (schema.enum) return schema.enum[0];
      if (schema.oneOf ?? schema.anyOf) return example((schema.oneOf ?? schema.anyOf)[0], depth);
      if (schema.type === 'array') return depth > 4 ? [] : [example(schema.items ?? {}, depth + 1)];
      if (schema.properties && depth < 5) {
        return Object.fromEntries(
          Object.entries(schema.properties).map(([name, member]) => [name, example(member, depth + 1)]),
        );
      }
      if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1;
      if (schema.type === 'boolean') return true;
      if (schema.format === 'date-time') return '2026-11-20T12:00:00Z';
      return schema.type === 'object' ? {} : 'x';
    };
    for (const [template, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const value = (one) => one.example ?? example(one.schema ?? {});
        const parameters = operation.parameters ?? [];
        const place = parameters
          .filter((one) => one.in === 'path')
          .reduce((text, one) => text.replace(`{${one.name}}`, encodeURIComponent(value(one))), template);
        const query = parameters
          .filter((one) => one.in === 'query' && one.name !== 'cursor')
          .map((one) => `${one.name}=${encodeURIComponent(value(one))}`)
          .join('&');
        const body = operation.requestBody?.content['application/json'];
        all.push({
          name: `${method.toUpperCase()} ${template}`,
          method: method.toUpperCase(),
          template,
          url: `${options.url}${place}${query ? `?${query}` : ''}`,
          query,
          body: body ? JSON.stringify(body.example ?? example(body.schema ?? {})) : null,
        });
      }
    }
  }
  const wanted = new RegExp(options.match);
  return all.filter(({ name }) => wanted.test(name));
}

function run(command, args, seconds) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    const limit = setTimeout(() => child.kill('SIGINT'), seconds * 1_000);
    child.stdout.on('data', (chunk) => (text += chunk));
    child.stderr.on('data', (chunk) => (text += chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      resolve({ text, code, signal });
    });
  });
}

// Browsers dropped the one; the other is sent where there is HTTPS, in production, which test/contract/hardening.spec.ts shows.
const MEANT = /^(X-XSS-Protection|Strict-Transport-Security) is not set$/;

/** Every page and every GET with its parameters, all modules that look for faults of the program. */
async function wapiti(all, budget) {
  const findings = [];
  for (const [who, wanted] of [
    ['integrator', (template) => !template.startsWith('/operator/')],
    ['operator', (template) => template.startsWith('/operator/')],
  ]) {
    const starts = all.filter(({ method, template }) => method === 'GET' && wanted(template));
    const headers = await headersFor(who === 'operator' ? '/operator/' : '/');
    const report = path.join(out, `wapiti-${who}.json`);
    const args = [
      ...['-u', `${options.url}/${who === 'operator' ? 'operator/docs' : 'docs'}`, '--scope', 'domain'],
      ...starts.flatMap(({ url }) => ['-s', url]),
      ...headers.flatMap((header) => ['-H', header]),
      ...['-m', 'all,-nikto,-buster,-brute_login_form,-wapp', '--flush-session', '--no-bugreport', '-v', '0'],
      // Asked to stop, wapiti asks back: it has to end by itself, so each of its twenty modules gets its share.
      ...[
        '--max-scan-time',
        String(Math.ceil(budget / 8)),
        '--max-attack-time',
        String(Math.ceil(budget / 40)),
      ],
      ...['-f', 'json', '-o', report],
    ];
    const { code, text } = await run('wapiti', args, budget * 2);
    if (!fs.existsSync(report)) throw new Error(`wapiti made no report (code ${code}): ${text.slice(-500)}`);
    const { vulnerabilities, anomalies, infos } = JSON.parse(fs.readFileSync(report, 'utf8'));
    say(`wapiti, ${who}: ${starts.length} start URLs, ${infos.crawled_pages_nbr ?? '?'} pages crawled`);
    for (const [kind, list] of [...Object.entries(vulnerabilities), ...Object.entries(anomalies)]) {
      for (const one of list) {
        if (MEANT.test(one.info)) continue;
        findings.push(`wapiti ${who}: ${kind}: ${one.method} ${one.path} ${one.info}`);
      }
    }
  }
  return findings;
}

/** The URL without the parameters that the service refuses in it: what is refused for one never reaches the others. */
async function acceptable(url, headers) {
  const target = new URL(url);
  for (let round = 0; round < 3; round += 1) {
    const answer = await fetch(target, {
      headers: Object.fromEntries(headers.map((header) => header.split(/: (.*)/s).slice(0, 2))),
    });
    if (answer.status !== 400) break;
    const { error } = await answer.json();
    for (const { path: name } of error.details) target.searchParams.delete(name);
  }
  return target.href;
}

// An operation that takes longer is looked at alone.
const MOST_SECONDS = 1_800;

const NOT_INJECTABLE =
  /all tested parameters do not appear to be injectable|no parameter\(s\) found for testing/;

/** The operations that a scan before this one came to the end of. */
const scanned = () =>
  options.done === undefined || !fs.existsSync(options.done)
    ? []
    : fs
        .readFileSync(options.done, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));

/** Each parameter and each member of a body. */
async function sqlmap(all, budget) {
  const findings = [];
  const earlier = new Set(scanned().map(({ name }) => name));
  const targets = all.filter(
    // Leaves out routes that log out or lock the account that scans, and uploads, which are no parameters.
    ({ query, body, template, name }) =>
      (query || body || template.includes('{')) &&
      !/auth\/|me\/|multipart/.test(template) &&
      !name.startsWith('DELETE'),
  );
  const until = Date.now() + budget * 1_000;
  let done = 0;
  let sent = 0;
  for (const { name, method, template, url, query, body } of targets.filter(
    ({ name }) => !earlier.has(name),
  )) {
    if (Date.now() > until) break;
    const headers = await headersFor(template);
    // Without a query or a body the last id of the path is what is injected into.
    const fitting = method === 'GET' && query ? await acceptable(url, headers) : url;
    const target = fitting.includes('?') || body ? fitting : `${fitting}*`;
    const args = [
      ...['-u', target, '--method', method, '--batch', '--flush-session'],
      ...['--level', options.level, '--risk', options.risk],
      ...['--dbms', 'PostgreSQL', '--technique', 'BEUST', '--threads', '4', '--time-sec', '2'],
      ...['--skip', 'user-agent,referer', '--ignore-code', '*', '--output-dir', path.join(out, 'sqlmap')],
      ...headers.flatMap((header) => ['-H', header]),
      ...(body ? ['--data', body, '-H', 'content-type: application/json'] : []),
    ];
    const seconds = Math.min(MOST_SECONDS, Math.ceil((until - Date.now()) / 1_000) + 5);
    const begun = Date.now();
    const { text } = await run('sqlmap', args, seconds);
    fs.writeFileSync(path.join(out, `sqlmap-${done}.log`), text);
    const refused = [...text.matchAll(/ - (\d+) times/g)].reduce((sum, [, times]) => sum + Number(times), 0);
    const clean = NOT_INJECTABLE.test(text);
    sent += refused;
    if (/is vulnerable|identified the following injection/.test(text)) findings.push(`sqlmap: ${name}`);
    say(
      `sqlmap: ${name}: ${clean ? 'nothing' : 'stopped before the end, or a finding'}; ${refused} requests refused`,
    );
    done += 1;
    if (clean && options.done !== undefined) {
      const line = {
        name,
        level: options.level,
        risk: options.risk,
        refused,
        seconds: Math.round((Date.now() - begun) / 1_000),
      };
      fs.appendFileSync(options.done, `${JSON.stringify(line)}\n`);
    }
  }
  say(
    `sqlmap: ${done} operations now, some ${sent} requests; ${scanned().length || done} of ${targets.length} came to their end`,
  );
  return findings;
}

const all = await operations();
const budget = Number(options.budget);
const findings = [
  ...(options.only === 'sqlmap' ? [] : await wapiti(all, budget)),
  ...(options.only === 'wapiti' ? [] : await sqlmap(all, budget)),
];
say(findings.length === 0 ? 'No findings.' : findings.join('\n'));
say(`Reports: ${out}`);
if (findings.length > 0) process.exitCode = 1;
