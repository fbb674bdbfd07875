/** A sample call of the API, with all parameters filled in. */
export interface SampleCall {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  /** The JSON body; null if the call has none. */
  readonly body: unknown;
  /** True if the body is a file. */
  readonly isUpload: boolean;
  /** True if the call uses the credentials of an application. */
  readonly asClient: boolean;
}

interface ClientMethod {
  readonly name: string;
  /** The argument of the method: the body, the last path segment, or none. */
  readonly takes: 'body' | 'id' | 'nothing';
  readonly iterates?: boolean;
}

/** Operations with their own method in the client libraries; all others use `send`. */
export const CLIENT_METHODS: Readonly<Record<string, ClientMethod>> = {
  ingestTransaction: { name: 'ingest', takes: 'body' },
  ingestTransactionBatch: { name: 'ingestBatch', takes: 'body' },
  getTransaction: { name: 'transaction', takes: 'id' },
  createSession: { name: 'createSession', takes: 'body' },
  createWebhookEndpoint: { name: 'createEndpoint', takes: 'body' },
  removeWebhookEndpoint: { name: 'removeEndpoint', takes: 'id' },
  listWebhookEndpoints: { name: 'endpoints', takes: 'nothing', iterates: true },
  listWebhookDeliveries: { name: 'deliveries', takes: 'nothing', iterates: true },
  readEvents: { name: 'events', takes: 'nothing', iterates: true },
};

export interface Snippet {
  readonly title: string;
  readonly language: string;
  readonly code: string;
}

/** Returns a call as snippets for curl and for the three client libraries. */
export function snippetsOf(call: SampleCall, baseUrl: string): readonly Snippet[] {
  const curl = { title: 'curl', language: 'bash', code: curlOf(call, baseUrl) };
  if (!call.asClient || call.isUpload) return [curl];
  return [
    curl,
    { title: 'TypeScript', language: 'ts', code: typescriptOf(call, baseUrl) },
    { title: 'Python', language: 'python', code: pythonOf(call, baseUrl) },
    { title: 'Go', language: 'go', code: goOf(call, baseUrl) },
  ];
}

const json = (body: unknown): string => JSON.stringify(body, null, 2);
const lastPart = (path: string): string => decodeURIComponent(path.split('?')[0]?.split('/').at(-1) ?? '');
const quoteForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function curlOf({ method, path, body, isUpload, asClient }: SampleCall, baseUrl: string): string {
  return [
    `curl -s${method === 'GET' || method === 'POST' ? '' : ` -X ${method}`} ${quoteForShell(baseUrl + path)}`,
    ...(asClient ? [`  -H "x-client-id: $VIGIA_CLIENT_ID" -H "x-client-secret: $VIGIA_CLIENT_SECRET"`] : []),
    ...(isUpload ? [`  -F file=@document.jpg`] : []),
    ...(body === null ? [] : [`  -H 'content-type: application/json' -d ${quoteForShell(json(body))}`]),
    ...(method === 'POST' && body === null && !isUpload ? [`  -X POST`] : []),
  ].join(' \\\n');
}

const CREDENTIALS = {
  ts: `const { VIGIA_CLIENT_ID: clientId = '', VIGIA_CLIENT_SECRET: clientSecret = '' } = process.env;`,
  python: `os.environ["VIGIA_CLIENT_ID"], os.environ["VIGIA_CLIENT_SECRET"]`,
  go: `ClientID: os.Getenv("VIGIA_CLIENT_ID"), ClientSecret: os.Getenv("VIGIA_CLIENT_SECRET")`,
};

function typescriptOf({ operationId, method, path, body }: SampleCall, baseUrl: string): string {
  const clientMethod = CLIENT_METHODS[operationId];
  const takes =
    clientMethod?.takes === 'body'
      ? json(body)
      : clientMethod?.takes === 'id'
        ? JSON.stringify(lastPart(path))
        : '';
  const call = clientMethod
    ? `vigia.${clientMethod.name}(${takes})`
    : `vigia.send(${json({ method, path, ...(body === null ? {} : { body }) })})`;
  return [
    `import { VigiaClient } from '@vigia/client';`,
    '',
    CREDENTIALS.ts,
    `const vigia = new VigiaClient({ baseUrl: '${baseUrl}', clientId, clientSecret });`,
    clientMethod?.iterates
      ? `for await (const one of ${call}) console.log(one);`
      : `console.log(await ${call});`,
  ].join('\n');
}

function pythonOf({ operationId, method, path, body }: SampleCall, baseUrl: string): string {
  const clientMethod = CLIENT_METHODS[operationId];
  const snake = clientMethod?.name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const takes =
    clientMethod?.takes === 'body'
      ? pythonLiteral(body)
      : clientMethod?.takes === 'id'
        ? JSON.stringify(lastPart(path))
        : '';
  const call = clientMethod
    ? `vigia.${snake}(${takes})`
    : `vigia.send("${method}", ${JSON.stringify(path)}${body === null ? '' : `, body=${pythonLiteral(body)}`})["data"]`;
  return [
    'import os',
    '',
    'from vigia import VigiaClient',
    '',
    `vigia = VigiaClient("${baseUrl}", ${CREDENTIALS.python})`,
    ...(clientMethod?.iterates ? [`for one in ${call}:`, '    print(one)'] : [`print(${call})`]),
  ].join('\n');
}

/** Converts JSON to a Python literal: True, False, None outside of strings. */
const pythonLiteral = (body: unknown): string =>
  json(body).replaceAll(
    /("(?:[^"\\]|\\.)*")|\b(true|false|null)\b/g,
    (_all, text?: string, word?: string) =>
      text ?? { true: 'True', false: 'False', null: 'None' }[word ?? 'null'] ?? '',
  );

function goOf({ method, path, body }: SampleCall, baseUrl: string): string {
  const fields = [
    `Method: "${method}"`,
    `Path: ${JSON.stringify(path)}`,
    ...(body === null ? [] : ['Body: json.RawMessage(`' + json(body) + '`)']),
  ];
  return [
    `client := vigia.New(vigia.Options{BaseURL: "${baseUrl}", ${CREDENTIALS.go}})`,
    'var answer map[string]any',
    `if err := client.Send(ctx, vigia.Call{${fields.join(', ')}}, &answer); err != nil {`,
    '\tlog.Fatal(err)',
    '}',
    'fmt.Println(answer["data"])',
  ].join('\n');
}
