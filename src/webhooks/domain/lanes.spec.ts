import { describe, expect, it } from '@jest/globals';
import { DeliveryLanes } from './lanes.js';

const lanesWith = (waiting: Readonly<Record<string, number>>): DeliveryLanes => {
  const lanes = new DeliveryLanes({ perEndpoint: 3, waitingPerEndpoint: 100 });
  for (const [endpointId, count] of Object.entries(waiting)) {
    for (let i = 1; i <= count; i += 1) lanes.offer({ endpointId, deliveryId: `${endpointId}${i}` });
  }
  return lanes;
};
const ids = (lanes: DeliveryLanes, count: number): string[] =>
  lanes.take(count).map((turn) => turn.deliveryId);

describe('DeliveryLanes', () => {
  it('serves the endpoints in turn, each in order of arrival', () => {
    expect(ids(lanesWith({ a: 5, b: 1, c: 2 }), 6)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  });

  it('goes on where it stopped when only few places are free', () => {
    const lanes = lanesWith({ a: 5, b: 5, c: 5 });
    expect([...ids(lanes, 1), ...ids(lanes, 1), ...ids(lanes, 1), ...ids(lanes, 1)]).toEqual([
      'a1',
      'b1',
      'c1',
      'a2',
    ]);
  });

  it('holds an endpoint to its limit until a place is released', () => {
    const lanes = lanesWith({ a: 10 });
    expect(ids(lanes, 10)).toEqual(['a1', 'a2', 'a3']);
    expect(ids(lanes, 10)).toEqual([]);
    lanes.release('a');
    expect(ids(lanes, 10)).toEqual(['a4']);
  });

  it('keeps a delivery once, however often it is announced', () => {
    const lanes = lanesWith({ a: 1 });
    lanes.offer({ endpointId: 'a', deliveryId: 'a1' });
    expect(lanes.waiting).toBe(1);
  });

  it('drops what exceeds the limit of a lane', () => {
    expect(lanesWith({ a: 500 }).waiting).toBe(100);
  });

  it('probes an endpoint that keeps failing one at a time, until it answers well', () => {
    const lanes = lanesWith({ a: 20 });
    for (let i = 0; i < 5; i += 1) {
      lanes.take(1);
      lanes.observe('a', false);
      lanes.release('a');
    }
    expect(ids(lanes, 10)).toHaveLength(1);
    lanes.observe('a', true);
    lanes.release('a');
    expect(ids(lanes, 10)).toHaveLength(3);
  });
});
