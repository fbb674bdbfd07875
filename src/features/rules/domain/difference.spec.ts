import { describe, expect, it } from '@jest/globals';
import { brStarter } from '../data/br-starter/index.js';
import { compareRulesets } from './difference.js';

const [first, second, ...others] = brStarter.rules;

describe('The difference that a version makes', () => {
  it('names rules that come, change and go, and whatever else changes', () => {
    const before = { ...brStarter, rules: [first!, second!] };
    const after = {
      ...brStarter,
      version: brStarter.version + 1,
      rules: [{ ...first!, mode: 'DISABLED' as const }, others[0]!],
      scoring: { ...brStarter.scoring, reviewAt: 99 },
    };
    expect(compareRulesets(before, after)).toEqual({
      rulesAdded: [others[0]!.key],
      rulesChanged: [first!.key],
      rulesRemoved: [second!.key],
      alsoChanged: ['scoring'],
    });
  });

  it('is nothing between two versions of one content, and everything where nothing was', () => {
    const same = compareRulesets(brStarter, { ...brStarter, version: 2 });
    expect(Object.values(same).flat()).toEqual([]);
    const all = compareRulesets(null, brStarter);
    expect(all.rulesAdded).toEqual(brStarter.rules.map(({ key }) => key));
    expect([all.rulesChanged, all.rulesRemoved]).toEqual([[], []]);
  });
});
