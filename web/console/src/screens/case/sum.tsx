import type { ReactElement } from 'react';
import type { CaseTransaction } from '../../data/cases.js';
import { componentsOf, type Evaluation } from '../../data/transactions.js';
import { wasLooked } from '../../parts/evidence/looked.js';
import { number } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { caseTexts } from './texts.js';

/** A group of rules in an evaluation: docs/scoring.md says how groups add up to the score. */
interface Group {
  readonly group: string;
  readonly points: number;
  readonly counted: number;
}

/** Draws the summands of the score, from 0 to 100, and beside them, as holes, what nobody could look at. */
export function Sum({
  one,
  evaluation,
}: {
  one: CaseTransaction;
  evaluation: Evaluation;
}): ReactElement | null {
  const t = useTexts(caseTexts);
  if (one.lookedAt === null) return null;
  const groups = (one.lookedAt.groups as unknown as readonly Group[]).filter(({ counted }) => counted > 0);
  const { dampening } = one.lookedAt;
  const holes = componentsOf(evaluation)
    .filter(([, { state }]) => !wasLooked(state))
    .map(([name]) => word('component', name));
  const total = groups.reduce((sum, { counted }) => sum + counted, 0);
  const parts = groups.map(({ group, counted }) => `${word('ruleGroup', group)} ${number(counted)}`);
  const said = [
    parts.length === 0 ? '0' : parts.join(' + '),
    dampening === 0 ? '' : ` − ${number(dampening)}`,
    ` = ${one.riskScore === null ? t.noSum : number(one.riskScore)}`,
  ].join('');
  return (
    <figure className="sum">
      <div className="bar" aria-hidden="true">
        {groups.map(({ group, counted }) => (
          <span
            key={group}
            className="part"
            style={{ flexGrow: counted }}
            title={`${word('ruleGroup', group)} ${number(counted)}`}
          >
            {number(counted)}
          </span>
        ))}
        {total < 100 && <span className="rest" style={{ flexGrow: 100 - total }} />}
        {holes.map((name) => (
          <span key={name} className="hole" title={name}>
            ?
          </span>
        ))}
      </div>
      <figcaption className="small">
        <p>
          {said}
          {total - dampening > 100 && ` · ${t.sumCut}`}
        </p>
        {holes.length > 0 && <p className="quiet">{t.sumHoles(holes.join(', '))}</p>}
      </figcaption>
    </figure>
  );
}
