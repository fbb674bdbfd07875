import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  backtestFlow,
  publicationApprovalObstacle,
  publicationRequestObstacle,
  rulesetFlow,
  type BacktestStatus,
  type RulesetStatus,
  type VersionState,
} from './life-cycle.js';

const draft: VersionState = { status: 'DRAFT', origin: 'DRAFT', contentHash: 'h1', requestedBy: null };

describe('The life of a ruleset version', () => {
  it('is DRAFT, PUBLISHED, ARCHIVED; a draft may be given up; nothing comes back', () => {
    const steps = rulesetFlow.states.flatMap((from) =>
      rulesetFlow.states.filter((to) => rulesetFlow.allows(from, to)).map((to) => `${from} ${to}`),
    );
    expect(steps).toEqual(['DRAFT PUBLISHED', 'DRAFT ARCHIVED', 'PUBLISHED ARCHIVED']);
  });

  it('a draft needs a finished back-test of exactly its content', () => {
    expect(publicationRequestObstacle(draft, null)).toBe('BACKTEST_MISSING');
    expect(publicationRequestObstacle(draft, 'h0')).toBe('BACKTEST_MISSING');
    expect(publicationRequestObstacle(draft, 'h1')).toBeNull();
  });

  it('what was seeded or is rolled back needs none, and is put up all the same', () => {
    const rollback: VersionState = { ...draft, origin: 'ROLLBACK' };
    expect(publicationRequestObstacle(rollback, null)).toBeNull();
    expect(publicationApprovalObstacle(rollback, null)).toBe('NOT_REQUESTED');
    expect(publicationApprovalObstacle({ ...rollback, requestedBy: 'a' }, null)).toBeNull();
  });

  it('whatever operators try in whatever order, what is published was tested and put up', () => {
    interface Step {
      readonly who: string;
      readonly what: 'edit' | 'test' | 'request' | 'approve' | 'withdraw';
    }
    const step: fc.Arbitrary<Step> = fc.record({
      who: fc.constantFrom('ana', 'bruno', 'carla'),
      what: fc.constantFrom('edit', 'test', 'request', 'approve', 'withdraw'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let version = draft;
        let edits = 0;
        const tested = new Set<string>();
        for (const { who, what } of steps) {
          const backtest = tested.has(version.contentHash) ? version.contentHash : null;
          if (what === 'edit' && version.status === 'DRAFT') {
            version = { ...version, contentHash: `h${++edits + 1}`, requestedBy: null };
          }
          if (what === 'withdraw' && version.status === 'DRAFT') version = { ...version, requestedBy: null };
          if (what === 'test') tested.add(version.contentHash);
          if (what === 'request' && publicationRequestObstacle(version, backtest) === null) {
            version = { ...version, requestedBy: who };
          }
          if (what === 'approve' && publicationApprovalObstacle(version, backtest) === null) {
            expect(version.status).toBe('DRAFT');
            expect(tested).toContain(version.contentHash);
            expect(version.requestedBy).not.toBeNull();
            version = { ...version, status: 'PUBLISHED' satisfies RulesetStatus };
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('The life of a back-test', () => {
  it('ends once: finished, failed or cancelled; a worker that dies gives it back', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...backtestFlow.states)), (wishes) => {
        let status: BacktestStatus = 'QUEUED';
        let ended: BacktestStatus | null = null;
        for (const wish of wishes) {
          if (!backtestFlow.allows(status, wish)) continue;
          expect(ended).toBeNull();
          status = wish;
          if (backtestFlow.isTerminal(status)) ended = status;
        }
      }),
    );
    expect(backtestFlow.allows('RUNNING', 'QUEUED')).toBe(true);
    expect(backtestFlow.allows('QUEUED', 'FINISHED')).toBe(false);
  });
});
