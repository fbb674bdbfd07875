import { describe, expect, it } from '@jest/globals';
import { weakening } from './weakening.js';

const none = { added: 0, changed: 0, removed: 0 };

describe('what nobody publishes alone', () => {
  it.each([
    [20, 0, null],
    [21, 0, 'LIST_SHRINKS'],
    [100, 0, 'LIST_SHRINKS'],
  ])('of 100 entries %d leave after %d: %s', (removed, lately, waits) => {
    expect(weakening({ kind: 'SANCTIONS', entries: 100 }, { ...none, removed }, lately)).toBe(waits);
  });

  it('counts small losses together: the second 15 of 100 wait', () => {
    expect(weakening({ kind: 'SANCTIONS', entries: 85 }, { ...none, removed: 15 }, 15)).toBe('LIST_SHRINKS');
    expect(weakening({ kind: 'SANCTIONS', entries: 95 }, { ...none, removed: 5 }, 5)).toBeNull();
  });

  it('lets a list that finds people grow and change', () => {
    expect(weakening({ kind: 'PEP', entries: 10 }, { added: 90, changed: 10, removed: 0 }, 0)).toBeNull();
    expect(weakening({ kind: 'PEP', entries: 0 }, { added: 90, changed: 0, removed: 0 }, 0)).toBeNull();
  });

  it('lets a list that clears people only shrink', () => {
    expect(weakening({ kind: 'ALLOWLIST', entries: 10 }, { ...none, removed: 10 }, 0)).toBeNull();
    expect(weakening({ kind: 'ALLOWLIST', entries: 0 }, { ...none, added: 1 }, 0)).toBe('LIST_ALLOWS');
    expect(weakening({ kind: 'ALLOWLIST', entries: 9 }, { ...none, changed: 1 }, 0)).toBe('LIST_ALLOWS');
  });
});
