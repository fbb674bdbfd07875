import { describe, expect, it } from '@jest/globals';
import { DeliveryLanes, type AttemptTiming, type QueuedDelivery } from './lanes.js';

const good = (durationMs: number): AttemptTiming => ({ succeeded: true, durationMs });
const bad: AttemptTiming = { succeeded: false, durationMs: 10 };
const policy = { failures: 5, pausesMs: [1_000, 4_000] };

function announced(waiting: Readonly<Record<string, number>>): DeliveryLanes<QueuedDelivery> {
  const lanes = new DeliveryLanes<QueuedDelivery>(3, policy);
  for (const [endpointId, count] of Object.entries(waiting)) {
    for (let i = 1; i <= count; i += 1) lanes.announce({ endpointId, deliveryId: `${endpointId}${i}` }, 0);
  }
  return lanes;
}

const names = (turns: readonly QueuedDelivery[]): string[] => turns.map((turn) => turn.deliveryId);

/** Claims whatever may be claimed, all of it with success. */
function claim(lanes: DeliveryLanes<QueuedDelivery>, limit = 1_000, now = 0): string[] {
  const turns = lanes.nextToClaim(limit, now);
  lanes.recordClaims(turns, turns);
  return names(turns);
}

/** Sends one delivery of the lane to its end. */
function complete(lanes: DeliveryLanes<QueuedDelivery>, pace: AttemptTiming, now = 0): void {
  claim(lanes, 1_000, now);
  const [sent] = lanes.nextToSend(1, now);
  if (!sent) throw new Error('nothing to send');
  lanes.recordSent(sent.endpointId, pace, now);
}

describe('DeliveryLanes', () => {
  it('sends to the endpoints in turn, to each in order of arrival', () => {
    const lanes = announced({ a: 3, b: 1, c: 2 });
    claim(lanes);
    expect(names(lanes.nextToSend(6, 0))).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  });

  it('goes on where it stopped when only few places are free', () => {
    const lanes = announced({ a: 3, b: 3, c: 3 });
    claim(lanes);
    const sent = [1, 2, 3, 4].flatMap(() => names(lanes.nextToSend(1, 0)));
    expect(sent).toEqual(['a1', 'b1', 'c1', 'a2']);
  });

  it('holds an organisation to its share over all its endpoints, and serves the others meanwhile', () => {
    const lanes = new DeliveryLanes<QueuedDelivery>(3, policy, {
      ownerOf: ({ endpointId }) => endpointId.slice(0, 1),
      most: () => 4,
    });
    for (const endpointId of ['a1', 'a2', 'a3', 'b1']) {
      for (let i = 1; i <= 3; i += 1) lanes.announce({ endpointId, deliveryId: `${endpointId}-${i}` }, 0);
    }
    claim(lanes);
    const sent = names(lanes.nextToSend(100, 0));
    expect(sent.filter((name) => name.startsWith('a'))).toHaveLength(4);
    expect(sent.filter((name) => name.startsWith('b'))).toHaveLength(3);
    expect(lanes.nextToSend(100, 0)).toEqual([]);
    lanes.recordSent('a1', good(10), 0);
    expect(names(lanes.nextToSend(100, 0))).toHaveLength(1);
  });

  it('holds an endpoint to its width until a place is free', () => {
    const lanes = announced({ a: 10 });
    expect(claim(lanes)).toEqual(['a1', 'a2', 'a3']);
    expect(lanes.nextToSend(10, 0)).toHaveLength(3);
    expect(claim(lanes)).toEqual([]);
    lanes.recordSent('a', null, 0);
    expect(claim(lanes)).toEqual(['a4']);
  });

  it('frees the turns whose claim another process has', () => {
    const lanes = announced({ a: 6 });
    lanes.recordClaims(lanes.nextToClaim(10, 0), []);
    expect(claim(lanes)).toEqual(['a4', 'a5', 'a6']);
  });

  it('claims ahead what a fast endpoint takes in a second, in batches', () => {
    const lanes = announced({ a: 500 });
    complete(lanes, good(300));
    // 3 at a time, 300 ms each: 10 ahead.
    expect(claim(lanes)).toHaveLength(11);
    expect(lanes.nextToSend(1, 0)).toHaveLength(1);
    expect(claim(lanes)).toHaveLength(0);
    complete(lanes, good(1));
    for (let i = 0; i < 40; i += 1) complete(lanes, good(1));
    expect(lanes.reclaimUnsent().length).toBeGreaterThan(50);
  });

  it('claims nothing ahead for a slow endpoint or one whose last attempt failed', () => {
    const slow = announced({ a: 500 });
    complete(slow, good(15_000));
    expect(claim(slow)).toHaveLength(1);
    const failing = announced({ a: 500 });
    complete(failing, good(1));
    failing.reclaimUnsent();
    complete(failing, bad);
    failing.reclaimUnsent();
    expect(claim(failing)).toHaveLength(3);
  });

  it('keeps a delivery once, however often it is announced', () => {
    const lanes = announced({ a: 1 });
    lanes.announce({ endpointId: 'a', deliveryId: 'a1' }, 0);
    expect(lanes.waiting).toBe(1);
  });

  it('leaves an endpoint alone that keeps failing, then tries one at a time until it answers well', () => {
    const lanes = announced({ a: 50 });
    for (let i = 0; i < 5; i += 1) complete(lanes, bad);
    lanes.reclaimForOpenBreakers(0);
    expect([claim(lanes, 1_000, 999), lanes.countHeld(999)]).toEqual([[], 1]);
    expect(claim(lanes, 1_000, 1_000)).toHaveLength(1);
    complete(lanes, bad, 1_000);
    expect(claim(lanes, 1_000, 4_999)).toEqual([]);
    complete(lanes, good(15_000), 5_000);
    expect([claim(lanes, 1_000, 5_000).length, lanes.countHeld(5_000)]).toEqual([3, 0]);
  });

  it('says once when the endpoint may be tried again, and gives back what it had claimed', () => {
    const lanes = announced({ a: 50, b: 1 });
    claim(lanes);
    const sent = lanes.nextToSend(4, 0).map(({ endpointId }) => endpointId);
    const openings = sent.map((endpointId) => lanes.recordSent(endpointId, bad, 0));
    for (let i = 0; i < 2; i += 1) complete(lanes, bad);
    expect(openings).toEqual([null, null, null, null]);
    expect(names(lanes.reclaimForOpenBreakers(0)).every((name) => name.startsWith('a'))).toBe(true);
    expect(lanes.nextToSend(10, 0)).toEqual([]);
  });

  it('remembers an endpoint for which nothing waits', () => {
    const lanes = announced({ a: 5 });
    for (let i = 0; i < 5; i += 1) complete(lanes, bad);
    for (let i = 6; i < 10; i += 1) lanes.announce({ endpointId: 'a', deliveryId: `a${i}` }, 0);
    expect(claim(lanes)).toEqual([]);
    expect(claim(lanes, 1_000, 1_000)).toHaveLength(1);
  });

  it('holds only so many claims over all endpoints', () => {
    const lanes = new DeliveryLanes<QueuedDelivery>(3, policy);
    for (let i = 0; i < 1_000; i += 1) {
      for (let j = 0; j < 3; j += 1) lanes.announce({ endpointId: `e${i}`, deliveryId: `${i}-${j}` }, 0);
    }
    expect(claim(lanes, 10_000)).toHaveLength(2_000);
    expect(claim(lanes, 10_000)).toHaveLength(0);
    expect(lanes.nextToSend(300, 0)).toHaveLength(300);
    expect(claim(lanes, 10_000)).toHaveLength(300);
  });

  it('drops announcements that a lane has no room for, a failing one soon', () => {
    expect(announced({ a: 20_001 }).waiting).toBe(20_000);
    const failing = announced({ a: 50 });
    for (let i = 0; i < 5; i += 1) complete(failing, bad);
    for (let i = 0; i < 500; i += 1) failing.announce({ endpointId: 'a', deliveryId: `more${i}` }, 0);
    expect(failing.waiting).toBeLessThanOrEqual(103);
  });
});
