import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { inGo } from '../support/client-drivers.js';
import { needs } from '../support/needs.js';

const root = path.join(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'vigia-snippets-'));
const languages = ['ts', 'python', 'go'] as const;
type Language = (typeof languages)[number];

let t: TestApp;
/** By language, the snippets of the pages by the operation that they call. */
const snippets = new Map<Language, Map<string, string>>(languages.map((language) => [language, new Map()]));
const of = (language: Language): ReadonlyMap<string, string> => snippets.get(language) ?? new Map();

beforeAll(async () => {
  t = await startTestApp();
  const read = async (page: string): Promise<string> => (await fetch(t.url + page)).text();
  const index = await read('/developers/reference');
  for (const [, id = ''] of index.matchAll(/href="\/developers\/reference\/(\w+)"/g)) {
    const page = await read(`/developers/reference/${id}`);
    for (const language of languages) {
      const found = new RegExp(`data-language="${language}"><code>([^]*?)</code>`).exec(page)?.[1];
      if (found !== undefined) snippets.get(language)?.set(id, unescaped(found));
    }
  }
});

afterAll(async () => {
  await t.close();
  rmSync(folder, { recursive: true, force: true });
});

const unescaped = (html: string): string =>
  html.replaceAll(
    /&(lt|gt|quot|#39|amp);/g,
    (all, name: string) => ({ lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' })[name] ?? all,
  );

function written(language: Language, text: (snippet: string, id: string) => string): string {
  const into = path.join(folder, language);
  mkdirSync(into);
  const ending = language === 'python' ? 'py' : language;
  for (const [id, snippet] of of(language)) {
    writeFileSync(path.join(into, `${id.toLowerCase()}.${ending}`), text(snippet, id));
  }
  return into;
}

describe('The snippets of the pages for developers', () => {
  it('are there for each call of an application, in each language', () => {
    expect(of('ts').size).toBeGreaterThan(25);
    for (const language of languages) expect([...of(language).keys()]).toEqual([...of('ts').keys()]);
  });

  it('are calls that the client for TypeScript has', () => {
    const into = written('ts', (snippet) => snippet);
    const compilerOptions = {
      ...{ strict: true, noEmit: true, target: 'es2022', module: 'nodenext', types: ['node'] },
      typeRoots: [path.join(root, 'node_modules/@types')],
      paths: { '@vigia/client': [path.join(root, 'sdk/node/src/index.ts')] },
    };
    writeFileSync(path.join(into, 'package.json'), '{"type":"module"}');
    writeFileSync(path.join(into, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    expect(spawnSync(process.execPath, [tsc, '-p', into], { encoding: 'utf8' }).stdout).toBe('');
  });

  needs('python3').it('are calls that the client for Python has', () => {
    const into = written('python', (snippet) => snippet);
    const script = `
import ast, inspect, pathlib, sys
from vigia import VigiaClient
for file in sorted(pathlib.Path(sys.argv[1]).glob('*.py')):
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and getattr(node.func.value, 'id', '') == 'vigia':
            method = getattr(VigiaClient, node.func.attr, None)
            if method is None: print(file.name, node.func.attr); continue
            values = [None] * (len(node.args) + 1)
            try: inspect.signature(method).bind(*values, **{one.arg: None for one in node.keywords})
            except TypeError as error: print(file.name, error)
`;
    const env = { ...process.env, PYTHONPATH: path.join(root, 'sdk/python'), PYTHONDONTWRITEBYTECODE: '1' };
    const said = spawnSync('python3', ['-c', script, into], { env, encoding: 'utf8' });
    expect(said.stdout + said.stderr).toBe('');
  });

  needs('go').it('are calls that the client for Go has', () => {
    const into = written('go', (snippet, id) => {
      const json = snippet.includes('json.RawMessage') ? '\t"encoding/json"\n' : '';
      return `package main\n\nimport (\n\t"context"\n${json}\t"fmt"\n\t"log"\n\t"os"\n\n\tvigia "vigia.example/client"\n)\n\nfunc ${id}(ctx context.Context) {\n${snippet}\n}\n`;
    });
    const calls = [...of('go').keys()].map((id) => `\t${id}(context.Background())`).join('\n');
    writeFileSync(
      path.join(into, 'main.go'),
      `package main\n\nimport "context"\n\nfunc main() {\n${calls}\n}\n`,
    );
    const client = path.join(root, 'sdk/go');
    writeFileSync(
      path.join(into, 'go.mod'),
      `module snippets\n\ngo 1.18\n\nrequire vigia.example/client v0.0.0\n\nreplace vigia.example/client => ${client}\n`,
    );
    expect(inGo(into, 'vet', '.')).toBe('');
  });
});
