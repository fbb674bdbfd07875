import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { outcomes } from '../../rules/index.js';
import { actionAfterDecision } from './decided-data.js';
import { possibleVerdicts, verdictOf, verdicts } from './verdict.js';

const actions = ['NONE', 'STEP_UP', 'HOLD', 'DECLINE'] as const;
const nameOf = (outcome: string, action: string): string => `${outcome} ${action}`;

describe('the verdict', () => {
  it('of every combination, also of those that only evaluations of before can have', () => {
    const all = outcomes.flatMap((outcome) =>
      actions.map((action) => [nameOf(outcome, action), verdictOf(outcome, action)] as const),
    );
    expect(Object.fromEntries(all)).toEqual({
      'APPROVED NONE': 'RELEASE',
      'APPROVED STEP_UP': 'CHALLENGE',
      'APPROVED HOLD': 'HOLD',
      'APPROVED DECLINE': 'DECLINE',
      'CHALLENGED NONE': 'CHALLENGE',
      'CHALLENGED STEP_UP': 'CHALLENGE',
      'CHALLENGED HOLD': 'HOLD',
      'CHALLENGED DECLINE': 'DECLINE',
      'REVIEW NONE': 'HOLD',
      'REVIEW STEP_UP': 'HOLD',
      'REVIEW HOLD': 'HOLD',
      'REVIEW DECLINE': 'DECLINE',
      'REJECTED NONE': 'DECLINE',
      'REJECTED STEP_UP': 'DECLINE',
      'REJECTED HOLD': 'DECLINE',
      'REJECTED DECLINE': 'DECLINE',
    });
  });

  it('is in the table as the code has it, and releases only what is approved without any action', () => {
    for (const [outcome, action, verdict] of possibleVerdicts) {
      expect(verdictOf(outcome, action)).toBe(verdict);
    }
    expect(possibleVerdicts.filter(([, , verdict]) => verdict === 'RELEASE')).toEqual([
      ['APPROVED', 'NONE', 'RELEASE'],
    ]);
    expect(new Set(possibleVerdicts.map(([, , verdict]) => verdict))).toEqual(new Set(verdicts));
    const decided = (['APPROVED', 'REJECTED'] as const).map((outcome) =>
      nameOf(outcome, actionAfterDecision(outcome)),
    );
    expect(possibleVerdicts.map(([outcome, action]) => nameOf(outcome, action))).toEqual(
      expect.arrayContaining(decided),
    );
  });

  it('is documented: docs/integrating.md has the rows of the code and no other', () => {
    const document = readFileSync(new URL('../../../../docs/integrating.md', import.meta.url), 'utf8');
    const rows = [...document.matchAll(/^\| `([A-Z]+)` \| `([A-Z]+)` \| `([A-Z_]+)` \|/gm)].map(
      ([, verdict, outcome, action]) => [outcome, action, verdict],
    );
    expect(rows.map(String).sort()).toEqual(possibleVerdicts.map(String).sort());
  });
});
