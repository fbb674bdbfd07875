import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Experiment, RulesetDefinition } from '../language/index.js';
import { bucketOf, specificityOf, selectRulesets, type SelectableRuleset } from './selection.js';

const ruleset = (
  key: string,
  fields: { experiment?: Experiment; selector?: Partial<RulesetDefinition['selector']> } = {},
): SelectableRuleset => ({
  key,
  experiment: fields.experiment ?? null,
  fit: specificityOf({ types: ['*'], clientApps: ['*'], ...fields.selector }),
});
const challenger = (mode: Experiment['mode'], percent = 100): { experiment: Experiment } => ({
  experiment: { challengerOf: 'a', mode, percent, stickyBy: 'CUSTOMER' },
});
const pix = (customerKey: Buffer | null = null): Parameters<typeof selectRulesets>[1] => ({
  type: 'PIX_TRANSFER',
  clientApp: 'app_1',
  customerKey,
});
const customer = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));

describe('Which ruleset judges a transaction', () => {
  it('none, when none is live for it', () => {
    const live = [ruleset('cards', { selector: { types: ['CARD_PURCHASE'] } })];
    expect(selectRulesets(live, pix())).toEqual({ deciding: null, champion: null, shadows: [] });
  });

  it('the one that names the application, then the one that names the type, then the one for everything', () => {
    const everything = ruleset('everything');
    const byType = ruleset('type', { selector: { types: ['PIX_TRANSFER'] } });
    const byBeginning = ruleset('beginning', { selector: { types: ['PIX_*'] } });
    const byApp = ruleset('app', { selector: { clientApps: ['app_1'] } });
    expect(selectRulesets([everything, byBeginning], pix()).deciding).toBe(byBeginning);
    expect(selectRulesets([byBeginning, byType], pix()).deciding).toBe(byType);
    expect(selectRulesets([everything, byType, byApp], pix()).deciding).toBe(byApp);
    expect(selectRulesets([everything, byType], pix()).deciding).toBe(byType);
    expect(selectRulesets([byType, everything], { ...pix(), type: 'CARD_PURCHASE' }).deciding).toBe(
      everything,
    );
  });

  it('the newest of those that fit equally', () => {
    const [newer, older] = [ruleset('newer'), ruleset('older')];
    expect(selectRulesets([newer, older], pix()).deciding).toBe(newer);
  });

  it('a challenger alone judges nothing', () => {
    const alone = ruleset('b', challenger('SPLIT'));
    expect(selectRulesets([alone], pix(Buffer.alloc(32))).deciding).toBeNull();
  });

  it('a challenger in SHADOW runs beside the live one and never decides', () => {
    const a = ruleset('a');
    const b = ruleset('b', challenger('SHADOW'));
    fc.assert(
      fc.property(customer, (key) => {
        expect(selectRulesets([b, a], pix(key))).toEqual({ deciding: a, champion: null, shadows: [b] });
      }),
    );
  });
});

describe('A SPLIT', () => {
  const a = ruleset('a');
  const split = (percent: number, key = 'b'): SelectableRuleset => ruleset(key, challenger('SPLIT', percent));

  it('is sticky: the same customer always meets the same ruleset, and growing the share moves nobody back', () => {
    fc.assert(
      fc.property(
        customer,
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 0, max: 100 }),
        (key, p, q) => {
          const [less, more] = [Math.min(p, q), Math.max(p, q)];
          const first = selectRulesets([split(less), a], pix(key)).deciding?.key;
          expect(selectRulesets([split(less), a], pix(Buffer.from(key))).deciding?.key).toBe(first);
          if (first === 'b') expect(selectRulesets([split(more), a], pix(key)).deciding?.key).toBe('b');
        },
      ),
    );
  });

  it('takes the share that it names, none at 0 and all at 100', () => {
    const keys = Array.from({ length: 20_000 }, (_, i) => Buffer.from(String(i)));
    const share = (percent: number): number =>
      keys.filter((key) => selectRulesets([split(percent), a], pix(key)).deciding?.key === 'b').length /
      keys.length;
    expect(share(0)).toBe(0);
    expect(share(100)).toBe(1);
    // Four standard deviations of a fair draw of 20,000 at 10 % are 0.0085.
    expect(Math.abs(share(10) - 0.1)).toBeLessThan(0.0085);
  });

  it('leaves a transaction without a customer to the live ruleset', () => {
    expect(selectRulesets([split(100), a], pix(null)).deciding).toBe(a);
  });

  it('names the live ruleset that was not asked', () => {
    expect(selectRulesets([split(100), a], pix(Buffer.alloc(32)))).toMatchObject({
      champion: a,
      shadows: [],
    });
  });

  it('of two experiments does not try the same customers', () => {
    const keys = Array.from({ length: 10_000 }, (_, i) => Buffer.from(String(i)));
    const inBoth = keys.filter((key) => bucketOf('b', key) < 50 && bucketOf('c', key) < 50).length;
    // Independent draws meet in a quarter of the customers; equal ones in a half.
    expect(inBoth / keys.length).toBeLessThan(0.28);
    expect(inBoth / keys.length).toBeGreaterThan(0.22);
  });
});
