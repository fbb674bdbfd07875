import { describe, expect, it } from '@jest/globals';
import { readSettings, Settings } from '../../../platform/config/index.js';
import type { QueueTransport } from '../../../platform/queue/index.js';
import { DeliverySlotsService } from './delivery-slots.service.js';

const key = (fill: number): string =>
  Buffer.from(Array.from({ length: 32 }, (_, i) => (i * 37 + fill) % 256)).toString('base64');
const settings = Settings.of(
  readSettings({
    NODE_ENV: 'test',
    DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
    KEY_RING: `a:${key(1)}`,
    AUDIT_KEYS: `a:${key(2)}`,
    INDEX_KEY: key(3),
    CLIENT_SECRET_PEPPER: key(4),
  }),
);

describe('deliveries', () => {
  it('give way while evaluation is behind, and to nobody when the queue does not answer', async () => {
    let waiting: () => Promise<number> = () => Promise.resolve(0);
    const places = new DeliverySlotsService(settings, {
      countWaiting: () => waiting(),
    } as unknown as QueueTransport);
    await places.checkBacklog();
    expect(places.places).toBe(settings.webhookConcurrency);
    waiting = () => Promise.resolve(5);
    await places.checkBacklog();
    expect([places.places, places.claimBatch]).toEqual([2, 4]);
    waiting = () => Promise.reject(new Error('away'));
    await expect(places.checkBacklog()).rejects.toThrow('away');
    expect(places.places).toBe(settings.webhookConcurrency);
  });
});
