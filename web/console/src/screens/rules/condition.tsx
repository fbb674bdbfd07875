import { useEffect, useState, type ReactElement } from 'react';
import { useFeatures } from '../../data/what-if.js';
import { Failure } from '../../parts/answers.js';
import { Pill } from '../../parts/controls.js';
import { useLanguage, useTexts } from '../../texts/language.js';
import { wordsOf } from './aggregates/words.js';
import { useCheck, type Draft } from './data.js';
import { ConditionEditor } from './condition-editor.js';
import { rulesTexts } from './texts.js';

/** The condition of a rule, with the facts to choose from and the faults at their places. */
export function Condition({
  rule,
  value,
  readOnly,
  onChange,
}: {
  rule: Draft;
  value: string;
  readOnly: boolean;
  onChange: (text: string) => void;
}): ReactElement {
  const t = useTexts(rulesTexts);
  const language = useLanguage();
  const features = useFeatures();
  const [asked, setAsked] = useState(rule);
  const [goTo, go] = useState<{ start: number; end: number } | null>(null);
  // Asked once the person pauses.
  useEffect(() => {
    const timer = setTimeout(() => {
      setAsked(rule);
    }, 400);
    return () => {
      clearTimeout(timer);
    };
  }, [rule]);
  const check = useCheck(asked);
  // An answer about another text than this one would underline the wrong places.
  const faults = asked.when === value && check.data?.ok === false ? check.data.details : [];
  return (
    <div className="stack condition">
      <span className="label">{t.when}</span>
      <ConditionEditor
        label={t.when}
        value={value}
        readOnly={readOnly}
        suggestions={[
          ...Object.entries(rule.aggregates ?? {}).map(([name, one]) => ({
            name: `aggregate.${name}`,
            type: one.function,
            label: wordsOf(one),
          })),
          ...(features.data ?? []).map(({ name, type, label }) => ({
            name,
            type,
            label: label[language === 'pt' ? 'pt-BR' : 'en'],
          })),
        ]}
        faults={faults.flatMap(({ message, position }) =>
          position ? [{ start: position.start, end: position.end, message }] : [],
        )}
        goTo={goTo}
        onChange={onChange}
      />
      {!readOnly && <p className="quiet small">{t.whenHint}</p>}
      <Faults
        rule={rule}
        check={check}
        onGo={(start, end) => {
          go({ start, end });
        }}
      />
    </div>
  );
}

/** Tells what the service says of the condition. */
function Faults({
  rule,
  check: { data, error, isFetching },
  onGo,
}: {
  rule: Draft;
  check: ReturnType<typeof useCheck>;
  onGo: (start: number, end: number) => void;
}): ReactElement {
  const t = useTexts(rulesTexts);
  const language = useLanguage();
  if (error) return <Failure error={error} />;
  return (
    <div role="status" className="stack">
      {isFetching && <p className="quiet small">{t.checking}</p>}
      {data?.ok === true && (
        <>
          <p className="row">
            <Pill tone="good">{t.good}</Pill>
            {data.cost !== undefined && <Pill>{t.cost(data.cost)}</Pill>}
          </p>
          {data.words && (
            <p>
              <strong>{t.inWords}:</strong> {data.words[language === 'pt' ? 'pt-BR' : 'en']}
            </p>
          )}
          {data.features && data.features.length > 0 && (
            <p className="quiet small">
              {t.reads}: <code>{data.features.join(', ')}</code>
            </p>
          )}
        </>
      )}
      {data && (
        <Findings
          findings={data.details.filter(({ path }) => isReached(rule, path))}
          tone="bad"
          onGo={onGo}
        />
      )}
      {data && <Findings findings={data.remarks} tone="warn" onGo={onGo} />}
    </div>
  );
}

/** A field that is empty is one that nobody has come to yet: saving tells of it. */
function isReached(rule: Draft, path: string): boolean {
  const members = path
    .replace(/^rule\./, '')
    .split(/[.[\]]+/)
    .filter(Boolean);
  const value = members.reduce<unknown>(
    (inside, member) => (inside as Readonly<Record<string, unknown>> | undefined)?.[member],
    rule,
  );
  return value !== '';
}

type Check = NonNullable<ReturnType<typeof useCheck>['data']>;

/** Lists faults or remarks with their places. */
function Findings({
  findings,
  tone,
  onGo,
}: {
  findings: Check['details'];
  tone: 'bad' | 'warn';
  onGo: (start: number, end: number) => void;
}): ReactElement | null {
  const t = useTexts(rulesTexts);
  if (findings.length === 0) return null;
  return (
    <ul className="plain">
      {findings.map(({ message, position, suggestion }, at) => (
        <li key={at}>
          <Pill tone={tone}>{tone === 'bad' ? t.fault : t.remark}</Pill>{' '}
          {position && (
            <button
              type="button"
              className="button bare"
              onClick={() => {
                onGo(position.start, position.end);
              }}
            >
              {t.at(position.line, position.column)}
            </button>
          )}{' '}
          {message} {suggestion !== undefined && <strong>{t.meant(suggestion)}</strong>}
        </li>
      ))}
    </ul>
  );
}
