import type { ReactElement } from 'react';
import type { Component, Evaluation, Reason } from '../../data/transactions.js';
import { componentsOf, reasonsOf } from '../../data/transactions.js';
import { useLanguage, useTexts, type Catalogue } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { Pill, type Tone } from '../controls.js';
import { reasonWords, sourceWords } from './reason-words.js';

const pt = {
  part: 'Parte',
  state: 'Estado',
  points: 'Pontos',
  proof: 'Prova',
  unknownPoints: 'não se sabe',
  composition: 'De onde vêm os pontos',
  rulesWithout: 'Regras que não puderam dizer',
  lacked: 'faltou',
  basis: 'Base legal',
};
const en: typeof pt = {
  part: 'Part',
  state: 'State',
  points: 'Points',
  proof: 'Proof',
  unknownPoints: 'not known',
  composition: 'Where the points come from',
  rulesWithout: 'Rules that could not tell',
  lacked: 'lacked',
  basis: 'Legal basis',
};
const texts: Catalogue<typeof pt> = { pt, en };

export const stateTone = (state: string): Tone =>
  state === 'HIT' ? 'bad' : wasLooked(state) ? 'good' : 'warn';

/** Whether the part was looked at as a whole; everything else is shown as what was not looked at. */
export const wasLooked = (state: string): boolean => ['HIT', 'NO_HIT', 'HIT_DISMISSED'].includes(state);

/** Every part of an evaluation: what it found, and what it could not look at. Nothing is left out. */
export function Components({ evaluation }: { evaluation: Evaluation }): ReactElement {
  const t = useTexts(texts);
  const all = componentsOf(evaluation).toSorted(([, a], [, b]) => weight(b) - weight(a));
  return (
    <table className="components">
      <thead>
        <tr>
          <th scope="col">{t.part}</th>
          <th scope="col">{t.state}</th>
          <th scope="col" className="number">
            {t.points}
          </th>
          <th scope="col">{t.proof}</th>
        </tr>
      </thead>
      <tbody>
        {all.map(([name, { state, points, reason, source }]) => (
          <tr key={name}>
            <th scope="row">{word('component', name)}</th>
            <td>
              <Pill tone={stateTone(state)}>{word('evidence', state)}</Pill>
            </td>
            <td className="number">
              {!wasLooked(state) && points === 0 ? <span title={t.unknownPoints}>?</span> : points}
            </td>
            <td className="quiet small">
              {[reason && reasonWords(reason), source && sourceWords(source)].filter(Boolean).join(' · ')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const weight = ({ state, points }: Component): number =>
  points * 10 + (state === 'HIT' ? 5 : wasLooked(state) ? 0 : 3);

/** Points by rule as bars, each with its sentence and legal basis. */
export function Reasons({ evaluation, brief }: { evaluation: Evaluation; brief?: boolean }): ReactElement {
  const language = useLanguage();
  const reasons = reasonsOf(evaluation).toSorted((a, b) => b.points - a.points);
  const most = Math.max(1, ...reasons.map(({ points }) => points));
  return (
    <ul className="reasons">
      {reasons.map((reason) => (
        <li key={reason.ruleId}>
          <div className="row">
            <strong>{inLanguage(reason.name, language) ?? reason.ruleId}</strong>
            <span className="end row">
              <span className="meter" style={{ width: `${(Math.max(0, reason.points) / most) * 6}rem` }} />
              <b>{reason.points}</b>
            </span>
          </div>
          <p>{inLanguage(reason.message, language) ?? reason.observed ?? ''}</p>
          {brief !== true && (
            <p className="quiet small">
              <code>{reason.ruleId}</code>
              {reason.legalBasis && reason.legalBasis.length > 0 && (
                <>
                  {' '}
                  ·{' '}
                  {reason.legalBasis
                    .map(({ norm, item }) => [norm, item].filter(Boolean).join(', '))
                    .join('; ')}
                </>
              )}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

export const inLanguage = (texts_: Reason['message'], language: 'pt' | 'en'): string | undefined =>
  texts_?.[language === 'pt' ? 'pt-BR' : 'en'] ?? texts_?.['en'];

/** Live rules that could not tell, and what they lacked. */
export function NotEvaluated({ evaluation }: { evaluation: Evaluation }): ReactElement | null {
  const t = useTexts(texts);
  if (evaluation.notEvaluated.length === 0) return null;
  return (
    <details>
      <summary>
        {t.rulesWithout} <Pill tone="warn">{evaluation.notEvaluated.length}</Pill>
      </summary>
      <ul className="plain small">
        {evaluation.notEvaluated.map(({ ruleId, missing }) => (
          <li key={ruleId}>
            <code>{ruleId}</code> <span className="quiet">{t.lacked}:</span> {missing.join(', ')}
          </li>
        ))}
      </ul>
    </details>
  );
}
