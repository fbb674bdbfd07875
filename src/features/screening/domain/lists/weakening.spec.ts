import { describe, expect, it } from '@jest/globals';
import { reasonAgainstFirstImport, reasonAgainstChanges, approvalReasonOfImport } from './weakening.js';

const none = { added: 0, changed: 0, removed: 0 };

describe('what nobody publishes alone', () => {
  it.each([
    [20, 0, null],
    [21, 0, 'LIST_SHRINKS'],
    [100, 0, 'LIST_SHRINKS'],
  ])('of 100 entries %d leave after %d: %s', (removed, lately, waits) => {
    expect(approvalReasonOfImport({ kind: 'SANCTIONS', entries: 100 }, { ...none, removed }, lately)).toBe(
      waits,
    );
  });

  it('counts small losses together: the second 15 of 100 wait', () => {
    expect(approvalReasonOfImport({ kind: 'SANCTIONS', entries: 85 }, { ...none, removed: 15 }, 15)).toBe(
      'LIST_SHRINKS',
    );
    expect(approvalReasonOfImport({ kind: 'SANCTIONS', entries: 95 }, { ...none, removed: 5 }, 5)).toBeNull();
  });

  it('counts an entry that says something else as one that leaves', () => {
    expect(approvalReasonOfImport({ kind: 'PEP', entries: 10 }, { ...none, changed: 10 }, 0)).toBe(
      'LIST_SHRINKS',
    );
    expect(
      approvalReasonOfImport({ kind: 'PEP', entries: 10 }, { ...none, changed: 1, removed: 1 }, 0),
    ).toBeNull();
    expect(approvalReasonOfImport({ kind: 'PEP', entries: 10 }, { ...none, changed: 2, removed: 1 }, 0)).toBe(
      'LIST_SHRINKS',
    );
  });

  it('begins no list without which nobody is on no list', () => {
    expect(reasonAgainstFirstImport({ kind: 'SANCTIONS', entries: 0 })).toBe('LIST_BEGINS');
    expect(reasonAgainstFirstImport({ kind: 'PEP', entries: 0 })).toBe('LIST_BEGINS');
    expect(reasonAgainstFirstImport({ kind: 'PEP', entries: 1 })).toBeNull();
    expect(reasonAgainstFirstImport({ kind: 'BLOCKLIST', entries: 0 })).toBeNull();
  });

  it('lets no operator take away or change one entry of what finds people', () => {
    expect(reasonAgainstChanges({ kind: 'SANCTIONS' }, { ...none, removed: 1 })).toBe('LIST_LOSES');
    expect(reasonAgainstChanges({ kind: 'BLOCKLIST' }, { ...none, changed: 1 })).toBe('LIST_LOSES');
    expect(reasonAgainstChanges({ kind: 'SANCTIONS' }, none)).toBeNull();
    expect(reasonAgainstChanges({ kind: 'ALLOWLIST' }, { ...none, removed: 1 })).toBeNull();
  });

  it('lets a list that finds people grow', () => {
    expect(approvalReasonOfImport({ kind: 'PEP', entries: 10 }, { ...none, added: 90 }, 0)).toBeNull();
    expect(
      approvalReasonOfImport({ kind: 'PEP', entries: 0 }, { added: 90, changed: 0, removed: 0 }, 0),
    ).toBeNull();
  });

  it('lets a list that clears people only shrink', () => {
    expect(
      approvalReasonOfImport({ kind: 'ALLOWLIST', entries: 10 }, { ...none, removed: 10 }, 0),
    ).toBeNull();
    expect(approvalReasonOfImport({ kind: 'ALLOWLIST', entries: 0 }, { ...none, added: 1 }, 0)).toBe(
      'LIST_ALLOWS',
    );
    expect(approvalReasonOfImport({ kind: 'ALLOWLIST', entries: 9 }, { ...none, changed: 1 }, 0)).toBe(
      'LIST_ALLOWS',
    );
  });
});
