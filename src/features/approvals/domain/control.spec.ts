import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { actNames, policyOf } from './acts.js';
import { controlOf, type DependentPair, type Person } from './control.js';

const until = new Date('2026-11-30T00:00:00Z');
const permissions = [...new Set(actNames.flatMap((act) => [policyOf(act).ask, policyOf(act).approve]))];

const organisations = fc.integer({ min: 0, max: 5 }).chain((size) => {
  const ids = Array.from({ length: size }, (_, i) => `person-${i}`);
  const people = fc.tuple(
    ...ids.map((id) => fc.subarray(permissions).map((own): Person => ({ id, permissions: new Set(own) }))),
  );
  const whole = ids.flatMap((makerId) =>
    [...ids, 'person-disabled'].flatMap((checkerId) =>
      actNames.map((act): DependentPair => ({ makerId, checkerId, act, until })),
    ),
  );
  return fc.record({ people, pairs: fc.subarray(whole.filter((one) => one.makerId !== one.checkerId)) });
});

describe('control of an organisation', () => {
  it('names the acts and people for whom every other one depends on them', () => {
    fc.assert(
      fc.property(organisations, ({ people, pairs }) => {
        const { singleControl, people: found } = controlOf(people, pairs);
        const depends = (maker: Person, checker: Person, act: string): boolean =>
          pairs.some(
            (pair) => pair.makerId === maker.id && pair.checkerId === checker.id && pair.act === act,
          );
        const may = (permission: string): Person[] =>
          people.filter((one) => one.permissions.has(permission as never));
        const checkersFor = (maker: Person, act: (typeof actNames)[number]): Person[] =>
          may(policyOf(act).approve).filter((one) => one.id !== maker.id);
        const isAlone = (maker: Person, act: (typeof actNames)[number]): boolean =>
          maker.permissions.has(policyOf(act).ask) &&
          checkersFor(maker, act).every((checker) => depends(maker, checker, act));
        expect(singleControl).toEqual(
          actNames.filter((act) => may(policyOf(act).ask).every((maker) => isAlone(maker, act))),
        );
        const expected = people.map((maker) => ({
          id: maker.id,
          alone: actNames.filter((act) => isAlone(maker, act)),
          notIndependent: people.flatMap((other) => {
            const acts = actNames.filter(
              (act) =>
                maker.permissions.has(policyOf(act).ask) &&
                checkersFor(maker, act).includes(other) &&
                depends(maker, other, act),
            );
            return acts.length > 0 ? [{ id: other.id, acts, until }] : [];
          }),
        }));
        expect(found).toEqual(
          expected.filter((one) => one.alone.length > 0 || one.notIndependent.length > 0),
        );
      }),
    );
  });

  it('is found for ten thousand people in a turn of the event loop', () => {
    const all = new Set<string>(permissions);
    const people = Array.from({ length: 10_000 }, (_, i): Person => ({ id: String(i), permissions: all }));
    const begun = performance.now();
    expect(controlOf(people, [])).toEqual({ singleControl: [], people: [] });
    // A look at all pairs of them takes more than a minute.
    expect(performance.now() - begun).toBeLessThan(5_000);
  });
});
