import type { ReactElement } from 'react';
import { Asked } from '../../parts/answers.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { useLiveRuleset, type Ruleset } from './data.js';
import { rulesTexts } from './texts.js';

type HeldRule = Ruleset['rules'][number];

/** The rules that judge otherwise once a draft is published, and whether each of them counts then. */
export function DraftChanges({ draft }: { draft: Ruleset }): ReactElement {
  const t = useTexts(rulesTexts);
  const live = useLiveRuleset(draft.key);
  return (
    <>
      <h2>{t.changes}</h2>
      <Asked query={live}>
        {(former) => {
          const changes = changesOf(former?.rules ?? [], draft.rules);
          if (changes.length === 0) return <p className="quiet">{t.noChanges}</p>;
          return (
            <ul className="plain">
              {changes.map(({ key, before, after }) => (
                <li key={key}>
                  <code>{key}</code> {after === null ? t.leaves : t.becomes(saidOf(after))}
                  {before !== null && <span className="quiet"> {t.before(saidOf(before))}</span>}
                </li>
              ))}
            </ul>
          );
        }}
      </Asked>
    </>
  );
}

interface ChangedRule {
  readonly key: string;
  readonly before: HeldRule | null;
  readonly after: HeldRule | null;
}

function changesOf(before: readonly HeldRule[], after: readonly HeldRule[]): readonly ChangedRule[] {
  const [had, has] = [byKey(before), byKey(after)];
  return [...new Set([...has.keys(), ...had.keys()])]
    .map((key) => ({ key, before: had.get(key) ?? null, after: has.get(key) ?? null }))
    .filter((rule) => rule.before?.mode !== rule.after?.mode || rule.before?.version !== rule.after?.version);
}

const byKey = (rules: readonly HeldRule[]): ReadonlyMap<string, HeldRule> =>
  new Map(rules.map((rule) => [rule.key, rule]));

const saidOf = ({ version, mode }: HeldRule): string =>
  `@${version}, ${word('ruleMode', mode).toLowerCase()}`;
