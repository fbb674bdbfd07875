import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { digestOf, sha256 } from '../../../../platform/kernel/index.js';
import { eventDictionaries, eventPacking } from '../../../webhooks/domain/event-packing.js';
import { events } from '../../../webhooks/events.dto.js';
import { factsDictionaries, unpackFacts } from '../../../rules/domain/snapshot/facts-packing.js';
import { bodyDictionaries, receiptMatchesHash, receiptDictionaries, receiptText } from './stored-packing.js';

interface Golden {
  readonly dictionaries: Record<'body' | 'receipt' | 'event' | 'facts', readonly string[]>;
  readonly receipt: { readonly text: string; readonly packed: string };
  readonly event: { readonly text: string; readonly packed: string };
  readonly facts: { readonly sha256: string; readonly packed: string };
}

/** A receipt, an event and facts as they were stored on 25 November 2026. */
const golden = JSON.parse(
  readFileSync(new URL('../../../../../test/fixtures/stored/packed-1.json', import.meta.url), 'utf8'),
) as Golden;
const packed = (what: 'receipt' | 'event' | 'facts'): Buffer => Buffer.from(golden[what].packed, 'base64');

describe('what is stored packed', () => {
  it('opens to the same bytes for as long as it is kept', () => {
    expect(receiptText(packed('receipt'))).toBe(golden.receipt.text);
    expect(eventPacking.unpack(packed('event')).toString()).toBe(golden.event.text);
    expect(digestOf(unpackFacts(packed('facts')))).toBe(golden.facts.sha256);
  });

  it('has dictionaries that are never changed: what was packed with them would not open any more', () => {
    const digests = (all: readonly (string | Buffer)[]): string[] => all.map((one) => digestOf(one));
    expect({
      body: digests(bodyDictionaries),
      receipt: digests(receiptDictionaries),
      event: digests(eventDictionaries),
      facts: digests(factsDictionaries),
    }).toEqual(golden.dictionaries);
  });

  it('has a dictionary of events that names the types there are, and no other', () => {
    const named = eventDictionaries.flatMap((one) =>
      [...one.matchAll(/"type":"([a-z_.]+)"/g)].map(([, type = '']) => type),
    );
    expect(new Set(named)).toEqual(new Set(Object.keys(events)));
  });

  it('of a receipt is held to the hash of its text, packed or not', () => {
    const hash = sha256(golden.receipt.text);
    expect(receiptMatchesHash(packed('receipt'), hash)).toBe(true);
    expect(receiptMatchesHash(Buffer.from(golden.receipt.text), hash)).toBe(true);
    for (const at of [0, 1, 5, 30, packed('receipt').length - 1]) {
      const changed = packed('receipt');
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(receiptMatchesHash(changed, hash)).toBe(false);
    }
    expect(receiptMatchesHash(Buffer.alloc(0), hash)).toBe(false);
  });
});
