import { useState, type ReactElement } from 'react';
import { Failure } from '../../parts/answers.js';
import { Button, Field, Pill } from '../../parts/controls.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { useTryRule, type Rule } from './data.js';
import { rulesTexts } from './texts.js';

export function TryIt({ rule }: { rule: Rule }): ReactElement {
  const t = useTexts(rulesTexts);
  const run = useTryRule();
  const [id, setId] = useState('');
  const tried = run.data?.rules.find(({ ruleId }) => ruleId === rule.key);
  return (
    <form
      className="card stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (id !== '') run.mutate({ transactionId: id.trim(), rule: rule.key });
      }}
    >
      <h2>{t.tryIt}</h2>
      <p className="quiet small">{t.tryHint}</p>
      <Field label={t.tryId}>
        {(given) => (
          <input
            {...given}
            className="code"
            value={id}
            onChange={(event) => {
              setId(event.target.value);
            }}
          />
        )}
      </Field>
      <div>
        <Button type="submit" disabled={run.isPending}>
          {t.tryGo}
        </Button>
      </div>
      {run.error && <Failure error={run.error} />}
      {run.data && (
        <div role="status" className="stack">
          <p className="row">
            <Pill tone="info">{word('outcome', run.data.outcome)}</Pill>
            <strong>{run.data.riskScore ?? '—'}</strong>
            {tried && (
              <Pill tone={tried.result === 'HIT' ? 'bad' : tried.result === 'NO_HIT' ? 'good' : 'warn'}>
                {rule.key} {word('ruleResult', tried.result)}
              </Pill>
            )}
          </p>
          <ul className="plain small">
            {tried?.explanation.map(({ expr, result, values }, at) => (
              <li key={at}>
                <Pill tone={result === 'TRUE' ? 'good' : result === 'FALSE' ? 'plain' : 'warn'}>
                  {result}
                </Pill>{' '}
                <code>{expr}</code> <span className="quiet">{JSON.stringify(values)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </form>
  );
}
