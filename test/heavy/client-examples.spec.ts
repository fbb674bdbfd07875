import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { installedPackage, within } from '../support/installed-package.js';
import { needs } from '../support/needs.js';

const root = path.join(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'vigia-examples-'));
const SECRET = `whsec_${Buffer.from('a secret of some length').toString('base64')}`;

let t: TestApp;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  t = await startTestApp();
  const { clientId, clientSecret } = await t.client({ scopes: ['kyt:ingest', 'kyt:read', 'events:read'] });
  env = {
    ...process.env,
    VIGIA_URL: t.url,
    VIGIA_CLIENT_ID: clientId,
    VIGIA_CLIENT_SECRET: clientSecret,
    VIGIA_SIGNING_SECRET: SECRET,
  };
});

afterAll(async () => {
  await t.close();
  rmSync(folder, { recursive: true, force: true });
});

/** All the code of a read-me, in its order. */
const codeOf = (sdk: string, language: string): string =>
  [...readFileSync(path.join(root, 'sdk', sdk, 'README.md'), 'utf8').matchAll(/```(\w+)\n([^]*?)```/g)]
    .flatMap(([, of, code = '']) => (of === language ? [code] : []))
    .join('\n');

/** Gives a program a transaction, and a webhook that is rightly signed now. */
function given(): NodeJS.ProcessEnv {
  const body = JSON.stringify({ id: 'evt_1', type: 'session.created', data: {} });
  const at = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`evt_1.${at}.${body}`).digest('base64');
  const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': at, 'webhook-signature': `v1,${signature}` };
  return {
    ...env,
    TRANSACTION: JSON.stringify(aTransaction()),
    HEADERS: JSON.stringify(headers),
    BODY: body,
  };
}

/** The program says whether the money may go, how many pages of events it kept, and two statuses of its receiver. */
async function saidBy(cwd: string, command: string, ...args: string[]): Promise<string> {
  const child = spawn(command, args, { cwd, env: given(), stdio: ['ignore', 'pipe', 'pipe'] });
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const last = said.trim().split('\n').at(-1);
  return last?.startsWith('{') === true ? last : `${said}${complained}`;
}
const AS_PROMISED = '{"goes":true,"kept":1,"right":204,"wrong":401}';

describe('the examples of the read-me', () => {
  it('for TypeScript compile under strict and run, as ES modules and in CommonJS', async () => {
    const project = installedPackage(folder, 'node');
    for (const name of ['express', '@types']) {
      symlinkSync(path.join(root, 'node_modules', name), path.join(project, 'node_modules', name));
    }
    const code = `${codeOf('node', 'ts')}
async function all(): Promise<void> {
  const env = process.env as Record<'TRANSACTION' | 'HEADERS' | 'BODY', string>;
  const goes = await mayGo(JSON.parse(env.TRANSACTION) as TransactionToIngest);
  let kept = 0;
  await readEvents(undefined, async () => { kept += 1; });
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const post = async (body: string): Promise<number> => {
    const headers = { 'content-type': 'application/json', ...(JSON.parse(env.HEADERS) as object) };
    return (await fetch(\`http://127.0.0.1:\${port}/webhooks\`, { method: 'POST', headers, body })).status;
  };
  console.log(JSON.stringify({ goes, kept, right: await post(env.BODY), wrong: await post('{}') }));
  server.close();
}
void all();
`;
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    const compile = (file: string, ...options: string[]): string => {
      writeFileSync(path.join(project, file), code);
      const usual = [
        '--strict',
        '--skipLibCheck',
        '--esModuleInterop',
        '--target',
        'es2022',
        '--types',
        'node',
      ];
      return within(project, process.execPath, tsc, ...usual, ...options, '--ignoreConfig', file);
    };
    compile('module.mts', '--module', 'node16');
    compile('common.ts', '--module', 'node16', '--exactOptionalPropertyTypes');
    for (const file of ['module.mjs', 'common.js']) {
      expect(await saidBy(project, process.execPath, file)).toBe(AS_PROMISED);
    }
    compile('old.ts', '--module', 'commonjs', '--moduleResolution', 'node10', '--ignoreDeprecations', '6.0');
    expect(await saidBy(project, process.execPath, 'old.js')).toBe(AS_PROMISED);
  }, 150_000);

  needs('python3').it('for Python run', async () => {
    const project = path.join(folder, 'python');
    cpSync(path.join(root, 'sdk/python/vigia'), path.join(project, 'vigia'), { recursive: true });
    const driver = `
import json
kept = []
goes = may_go(json.loads(os.environ["TRANSACTION"]))
read_events(None, kept.append)
headers, body = json.loads(os.environ["HEADERS"]), os.environ["BODY"].encode()
said = {"goes": goes, "kept": len(kept), "right": receive(headers, body), "wrong": receive(headers, b"{}")}
print(json.dumps(said, separators=(",", ":")))
`;
    writeFileSync(path.join(project, 'main.py'), codeOf('python', 'python') + driver);
    expect(await saidBy(project, 'python3', 'main.py')).toBe(AS_PROMISED);
  });

  needs('go').it(
    'for Go compile and run',
    async () => {
      const project = path.join(folder, 'go');
      mkdirSync(path.join(project, 'payments'), { recursive: true });
      const client = path.join(root, 'sdk/go');
      writeFileSync(
        path.join(project, 'go.mod'),
        `module shop\n\ngo 1.18\n\nrequire vigia.example/client v0.0.0\n\nreplace vigia.example/client => ${client}\n`,
      );
      writeFileSync(path.join(project, 'payments/payments.go'), codeOf('go', 'go'));
      writeFileSync(
        path.join(project, 'main.go'),
        `package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"strings"

	"shop/payments"
	vigia "vigia.example/client"
)

func post(body string) int {
	var headers map[string]string
	_ = json.Unmarshal([]byte(os.Getenv("HEADERS")), &headers)
	request := httptest.NewRequest("POST", "/", strings.NewReader(body))
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	answer := httptest.NewRecorder()
	payments.Receive(answer, request)
	return answer.Code
}

func main() {
	var transaction vigia.IngestTransactionBody
	_ = json.Unmarshal([]byte(os.Getenv("TRANSACTION")), &transaction)
	goes, err := payments.MayGo(context.Background(), transaction)
	if err != nil {
		panic(err)
	}
	kept := 0
	if err := payments.ReadEvents(context.Background(), "", func(string) { kept++ }); err != nil {
		panic(err)
	}
	right, wrong := post(os.Getenv("BODY")), post("{}")
	fmt.Printf("{\\"goes\\":%t,\\"kept\\":%d,\\"right\\":%d,\\"wrong\\":%d}\\n", goes, kept, right, wrong)
}
`,
      );
      expect(await saidBy(project, 'go', 'run', '.')).toBe(AS_PROMISED);
    },
    150_000,
  );
});
