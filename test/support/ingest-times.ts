import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect } from '@jest/globals';
import type { TestClient } from './api.js';

const GENERATOR = path.resolve(import.meta.dirname, '../bench/load.mjs');
const CONNECTIONS = 16;
let runs = 0;

/**
 * Milliseconds until each transaction was acknowledged, at a fixed rate, whoever waits. Sent and timed by the generator
 * of the bench in a process of its own: what the test does meanwhile is not measured.
 */
export async function ingestTimes(of: {
  readonly url: string;
  readonly client: TestClient;
  readonly perSecond: number;
  readonly seconds: number;
}): Promise<number[]> {
  const child = fork(GENERATOR, [], { serialization: 'advanced', execArgv: [] });
  const ended = once(child, 'exit');
  try {
    await once(child, 'message');
    child.send({
      port: Number(new URL(of.url).port),
      path: '/kyt/transactions/ingest',
      headers: { 'x-client-id': of.client.clientId, 'x-client-secret': of.client.clientSecret },
      connections: CONNECTIONS,
      seconds: of.seconds,
      rate: of.perSecond,
      tag: String(++runs).padStart(6, '0'),
      keepLatencies: true,
    });
    const [{ result }] = (await once(child, 'message')) as [
      { result: { latencies: number[]; statuses: Record<string, number> } },
    ];
    expect(result.statuses).toEqual({ 202: of.perSecond * of.seconds });
    return result.latencies.map((microseconds) => microseconds / 1_000);
  } finally {
    if (child.connected) child.disconnect();
    await ended;
  }
}

export const p99 = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
