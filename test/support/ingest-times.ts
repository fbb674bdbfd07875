import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { TestClient } from './api.js';
import { aTransaction } from './builders.js';

/** Milliseconds until each transaction was acknowledged, at a fixed rate, whoever waits. */
export async function ingestTimes(of: {
  readonly url: string;
  readonly client: TestClient;
  readonly perSecond: number;
  readonly seconds: number;
}): Promise<number[]> {
  const calls: Promise<number>[] = [];
  const startedAt = performance.now();
  for (let i = 0; i < of.perSecond * of.seconds; i += 1) {
    const wait = startedAt + (i * 1_000) / of.perSecond - performance.now();
    if (wait > 0) await sleep(wait);
    calls.push(ingest(of.url, of.client));
  }
  return Promise.all(calls);
}

async function ingest(url: string, client: TestClient): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${url}/kyt/transactions/ingest`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-client-id': client.clientId,
      'x-client-secret': client.clientSecret,
    },
    body: JSON.stringify(aTransaction()),
  });
  await response.arrayBuffer();
  expect(response.status).toBe(202);
  return performance.now() - startedAt;
}

export const p99 = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
