import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { scopes } from '../../src/platform/http/index.js';
import type { TestApi } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { runWorkflow, type Arazzo, type RoutedOperation } from '../support/arazzo.js';
import { aTransaction } from '../support/builders.js';
import { WebhookReceiver } from '../support/receiver.js';

let t: TestApp;
let api: TestApi;
let operations: ReadonlyMap<string, RoutedOperation>;

beforeAll(async () => {
  t = await startTestApp();
  api = t.api.as(await t.client({ scopes }));
  const { body } = await t.api.get('/openapi.json').expect(200);
  const { paths } = body as { paths: Record<string, Record<string, { operationId: string }>> };
  operations = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [
        operationId,
        { method: method as RoutedOperation['method'], path },
      ]),
    ),
  );
});

afterAll(async () => {
  await t.close();
});

const { workflows } = JSON.parse(readFileSync('docs/arazzo.json', 'utf8')) as Arazzo;

describe('The journeys of docs/arazzo.json', () => {
  it.each(workflows)('$workflowId', async (workflow) => {
    const receiver = await WebhookReceiver.listen();
    try {
      const outputs = await runWorkflow(api, operations, workflow, {
        transaction: aTransaction(),
        session: { flowKey: 'onboarding-pf', externalCustomerId: 'customer-4711' },
        url: receiver.url,
      });
      expect(Object.values(outputs)).not.toContain(undefined);
    } finally {
      await receiver.close();
    }
  });

  it('a criterion that is not met fails, and names its step', async () => {
    const [first] = workflows;
    const nameless = aTransaction({ transactionId: undefined });
    await expect(runWorkflow(api, operations, first!, { transaction: nameless })).rejects.toThrow(
      /submitAndRead, submit: \$statusCode == 202 is not true of 400/,
    );
  });
});

describe('The collection for Postman', () => {
  interface Item {
    readonly request: {
      readonly method: string;
      readonly url: {
        readonly raw: string;
        readonly path: readonly string[];
        readonly variable: readonly { readonly key: string }[];
      };
      readonly header: readonly { readonly key: string; readonly value: string }[];
      readonly body?: { readonly raw?: string };
    };
  }

  it('has every operation of the integrators, no credentials, and bodies that are accepted', async () => {
    const { body } = await t.api.get('/developers/postman.json').expect(200);
    const text = JSON.stringify(body);
    expect(text).not.toMatch(/vsk_[A-Za-z0-9]/);
    const items = (body as { item: { item: Item[] }[] }).item.flatMap(({ item }) => item);
    expect(items.length).toBeGreaterThan(30);
    // A variable is filled in by whoever sends the request.
    const { paths } = (await t.api.get('/openapi.json').expect(200)).body as { paths: object };
    const inPath = (parts: readonly string[]): string[] =>
      parts.flatMap((part) => (part.startsWith(':') ? [part.slice(1)] : []));
    for (const { request } of items) {
      const template = `/${request.url.path.join('/')}`.replaceAll(/:(\w+)/g, '{$1}');
      expect(Object.keys(paths)).toContain(template);
      expect(request.url.variable.map(({ key }) => key)).toEqual(inPath(request.url.path));
    }
    expect(items.some(({ request }) => request.url.variable.length > 0)).toBe(true);
    const ingest = items.find(({ request }) => request.url.raw === '{{baseUrl}}/kyt/transactions/ingest');
    expect(ingest?.request.header.map(({ key }) => key)).toEqual([
      ...['x-client-id', 'x-client-secret', 'content-type'],
    ]);
    await api.ingest(JSON.parse(ingest?.request.body?.raw ?? '') as Record<string, unknown>).expect(202);
  });
});
