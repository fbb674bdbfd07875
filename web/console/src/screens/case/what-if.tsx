import { useId, useState, type ReactElement } from 'react';
import type { Evaluation } from '../../data/transactions.js';
import { useFeatures, useWhatIf, valueOf, type Tried } from '../../data/what-if.js';
import { Asked, Failure } from '../../parts/answers.js';
import { Button, Field, Pill } from '../../parts/controls.js';
import { useLanguage, useTexts, type Catalogue } from '../../texts/language.js';
import { word } from '../../texts/words.js';

const pt = {
  title: 'E se?',
  hint: 'A mesma transação pelas regras de agora, com o que você supõe. Nada é guardado nem decidido.',
  fact: 'Dado',
  value: 'Valor',
  try: 'Ver o que mudaria',
  add: 'Supor mais um dado',
  noFact: 'Não há dado com este nome.',
  now: 'Como está',
  then: 'Com o que se supõe',
  outcome: 'Resultado',
  score: 'Nota',
  defensible: 'Defensável',
  yes: 'sim',
  no: 'não',
  rules: 'Regras que mudariam',
  none: 'Nenhuma regra mudaria.',
};
const en: typeof pt = {
  title: 'What if?',
  hint: 'The same transaction by the rules of now, with what you suppose. Nothing is kept or decided.',
  fact: 'Fact',
  value: 'Value',
  try: 'See what would change',
  add: 'Suppose one more fact',
  noFact: 'There is no fact of this name.',
  now: 'As it is',
  then: 'As supposed',
  outcome: 'Outcome',
  score: 'Score',
  defensible: 'Defensible',
  yes: 'yes',
  no: 'no',
  rules: 'Rules that would change',
  none: 'No rule would change.',
};
const texts: Catalogue<typeof pt> = { pt, en };

/** Tries a transaction with other facts; those that were missing come first, as they are what one would ask for. */
export function WhatIf({ id, evaluation }: { id: string; evaluation: Evaluation }): ReactElement {
  const t = useTexts(texts);
  const [open, setOpen] = useState(false);
  return (
    <details
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
      }}
    >
      <summary>{t.title}</summary>
      {open && <Supposing id={id} evaluation={evaluation} />}
    </details>
  );
}

function Supposing({ id, evaluation }: { id: string; evaluation: Evaluation }): ReactElement {
  const t = useTexts(texts);
  const language = useLanguage();
  const listId = useId();
  const missing = [...new Set(evaluation.notEvaluated.flatMap(({ missing: names }) => names))];
  const [facts, setFacts] = useState<readonly { readonly name: string; readonly value: string }[]>(() => [
    { name: missing[0] ?? '', value: '' },
  ]);
  const features = useFeatures();
  const run = useWhatIf(id);
  const change = (at: number, part: Partial<{ name: string; value: string }>): void => {
    setFacts(facts.map((one, index) => (index === at ? { ...one, ...part } : one)));
  };
  return (
    <Asked query={features} lines={2}>
      {(all) => {
        const known = new Map(all.map((one) => [one.name, one]));
        const assumed = facts.map(({ name, value }) => {
          const feature = known.get(name);
          return [name, feature === undefined ? undefined : valueOf(feature, value)] as const;
        });
        const ready = assumed.every(([, value]) => value !== undefined);
        return (
          <form
            className="stack"
            onSubmit={(event) => {
              event.preventDefault();
              if (ready) run.mutate(Object.fromEntries(assumed));
            }}
          >
            <p className="quiet small">{t.hint}</p>
            <datalist id={listId}>
              {[...new Set([...missing, ...known.keys()])].map((name) => (
                <option key={name} value={name}>
                  {known.get(name)?.label[language === 'pt' ? 'pt-BR' : 'en']}
                </option>
              ))}
            </datalist>
            {facts.map(({ name, value }, at) => {
              const feature = known.get(name);
              return (
                <div key={at} className="pair">
                  <Field
                    label={t.fact}
                    {...(feature && { hint: feature.label[language === 'pt' ? 'pt-BR' : 'en'] })}
                    fault={name !== '' && !feature ? t.noFact : null}
                  >
                    {(given) => (
                      <input
                        {...given}
                        list={listId}
                        value={name}
                        onChange={(event) => {
                          change(at, { name: event.target.value });
                        }}
                      />
                    )}
                  </Field>
                  <Field label={t.value} {...(feature && { hint: feature.type })}>
                    {(given) =>
                      feature?.type === 'bool' ? (
                        <select
                          {...given}
                          value={value}
                          onChange={(event) => {
                            change(at, { value: event.target.value });
                          }}
                        >
                          <option value="">—</option>
                          <option value="true">{t.yes}</option>
                          <option value="false">{t.no}</option>
                        </select>
                      ) : (
                        <input
                          {...given}
                          value={value}
                          onChange={(event) => {
                            change(at, { value: event.target.value });
                          }}
                        />
                      )
                    }
                  </Field>
                </div>
              );
            })}
            <div className="row">
              <Button type="submit" disabled={!ready || run.isPending}>
                {t.try}
              </Button>
              <Button
                look="bare"
                onClick={() => {
                  setFacts([...facts, { name: missing[facts.length] ?? '', value: '' }]);
                }}
              >
                {t.add}
              </Button>
            </div>
            {run.error && <Failure error={run.error} />}
            {run.data && <Compared {...run.data} />}
          </form>
        );
      }}
    </Asked>
  );
}

function Compared({ before, after }: { before: Tried; after: Tried }): ReactElement {
  const t = useTexts(texts);
  const was = new Map(before.rules.map(({ ruleId, result }) => [ruleId, result]));
  const changed = after.rules.filter(({ ruleId, result }) => was.get(ruleId) !== result);
  const rows: readonly (readonly [string, (one: Tried) => string])[] = [
    [t.outcome, (one) => word('outcome', one.outcome)],
    [t.score, (one) => String(one.riskScore ?? '—')],
    [t.defensible, (one) => (one.defensible ? t.yes : t.no)],
  ];
  return (
    <div role="status" className="stack">
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">{t.now}</th>
            <th scope="col">{t.then}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, read]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{read(before)}</td>
              <td>{read(before) === read(after) ? read(after) : <Pill tone="info">{read(after)}</Pill>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {changed.length === 0 ? (
        <p className="quiet small">{t.none}</p>
      ) : (
        <>
          <h3>{t.rules}</h3>
          <ul className="plain small">
            {changed.map(({ ruleId, result }) => (
              <li key={ruleId}>
                <code>{ruleId}</code>: {word('ruleResult', was.get(ruleId) ?? '—')} →{' '}
                {word('ruleResult', result)}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
