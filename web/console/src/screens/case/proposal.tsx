import { useEffect, useRef, useState, type ReactElement } from 'react';
import { asProblem } from '../../api/problem.js';
import { useRelated } from '../../data/case-parts.js';
import { evaluationIn, usePropose, type CaseFile, type Decision } from '../../data/cases.js';
import { useMay } from '../../data/me.js';
import { keepDraft, readDraft } from '../../data/calls/query.js';
import { componentsOf, reasonsOf, type Evaluation } from '../../data/transactions.js';
import { Failure } from '../../parts/answers.js';
import { Button, Field, Pill } from '../../parts/controls.js';
import { inLanguage, wasLooked } from '../../parts/evidence/looked.js';
import { useShortcuts } from '../../parts/shortcuts.js';
import { say } from '../../parts/toasts.js';
import { common } from '../../texts/common.js';
import { useLanguage, useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { Related } from './related.js';
import { caseTexts, type CaseTexts } from './texts.js';

const RESOLUTIONS = ['APPROVED', 'REJECTED', 'FALSE_POSITIVE'] as const;

const REPORTS = [
  ['COMMUNICATE', 'C'],
  ['ARCHIVE', 'V'],
] as const;

const MINIMUM = 20;

export function Proposal({ file }: { file: CaseFile }): ReactElement {
  const t = useTexts(caseTexts);
  const c = useTexts(common);
  const language = useLanguage();
  const may = useMay();
  const propose = usePropose(file.id);
  const [resolution, setResolution] = useState<Decision['resolution'] | null>(null);
  const [report, setReport] = useState<Decision['report'] | null>(null);
  const [text, setText] = useState(() => readDraft(file.id));
  const [without, setWithout] = useState(() => readDraft(`${file.id} without`));
  const [drafted, setDrafted] = useState<string | null>(null);
  const [told, setTold] = useState(false);
  // The decision is about the case as it was when this person began to look at it.
  const [revision, setRevision] = useState(file.revision);
  const input = useRef<HTMLTextAreaElement>(null);
  const allowed = may('reviews:decide');
  const blocking = file.hits.filter(({ hit }) => hit.mandatory && hit.status === 'PENDING').length;
  const length = text.trim().length;
  const communicates = report === 'COMMUNICATE';
  const related = useRelated(file.id, communicates);
  const lacks = communicates && (related.data?.transactions.length ?? 0) > 0;
  const unsaid = lacks && without.trim().length < MINIMUM;

  useEffect(() => {
    keepDraft(file.id, text);
    keepDraft(`${file.id} without`, without);
  }, [file.id, text, without]);

  const choose = (one: Decision['resolution']): void => {
    setResolution(one);
    // A false positive is communicated to nobody; for the others a person says it.
    if (one === 'FALSE_POSITIVE') setReport('ARCHIVE');
  };
  const draft = (): void => {
    const [first] = file.transactions;
    const evaluation = first === undefined ? null : evaluationIn(first);
    const made = draftOf(t, evaluation, resolution, language);
    setText(made);
    setDrafted(made);
    input.current?.focus();
  };
  const send = (): void => {
    setTold(true);
    if (allowed !== 'YES' || propose.isPending) return;
    if (resolution === null || report === null) return;
    if (length < MINIMUM) {
      input.current?.focus();
      return;
    }
    if (unsaid) return;
    const left = lacks ? { withoutRelated: without.trim() } : {};
    propose.mutate(
      { resolution, report, justification: text.trim(), revision, ...left },
      {
        onSuccess: () => {
          keepDraft(file.id, '');
          keepDraft(`${file.id} without`, '');
          say(t.proposed);
        },
        onError: (error) => {
          // More payments have come since these were listed.
          if (asProblem(error).code === 'RELATED_TRANSACTIONS_OPEN') void related.refetch();
        },
      },
    );
  };
  useShortcuts(
    allowed === 'YES'
      ? [
          ...RESOLUTIONS.map((one, at) => ({
            keys: String(at + 1),
            label: word('resolution', one),
            footer: true,
            run: () => {
              choose(one);
            },
          })),
          ...REPORTS.map(([one, key]) => ({
            keys: key,
            label: word('report', one),
            run: () => {
              setReport(one);
            },
          })),
          { keys: 'R', label: t.draft, footer: true, run: draft },
          { keys: 'Ctrl Enter', label: t.propose, footer: true, run: send },
        ]
      : [],
  );

  if (allowed !== 'YES') {
    return <p className="notice">{allowed === 'LOCKED' ? c.strongNeeded : t.mayNot}</p>;
  }
  return (
    <div className="stack">
      {file.revision > revision && (
        <div className="notice warn" role="alert">
          <p>{t.changed}</p>
          <Button
            onClick={() => {
              setRevision(file.revision);
            }}
          >
            OK
          </Button>
        </div>
      )}
      {blocking > 0 && <p className="notice warn">{t.blocked(blocking)}</p>}
      <div className="stack" role="group" aria-label={t.resolution}>
        <span className="label">{t.resolution}</span>
        <div className="choices">
          {RESOLUTIONS.map((one, at) => (
            <Button
              key={one}
              keys={String(at + 1)}
              aria-pressed={resolution === one}
              onClick={() => {
                choose(one);
              }}
            >
              {word('resolution', one)}
            </Button>
          ))}
        </div>
      </div>
      <div className="stack" role="group" aria-label={t.report}>
        <span className="label">{t.report}</span>
        <div className="choices">
          {REPORTS.map(([one, key]) => (
            <Button
              key={one}
              keys={key}
              aria-pressed={report === one}
              onClick={() => {
                setReport(one);
              }}
            >
              {word('report', one)}
            </Button>
          ))}
        </div>
      </div>
      {communicates && (
        <Related
          caseId={file.id}
          related={related}
          minimum={MINIMUM}
          without={without}
          told={told}
          onWithout={setWithout}
          onAdded={(now) => {
            // Whatever else came in between has to be looked at.
            if (now === revision + 1) setRevision(now);
          }}
        />
      )}
      <Field
        label={t.justification}
        hint={t.justificationHint(MINIMUM, length)}
        fault={told && length < MINIMUM ? t.justificationHint(MINIMUM, length) : null}
      >
        {(given) => (
          <textarea
            {...given}
            ref={input}
            rows={8}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
            }}
          />
        )}
      </Field>
      <div>
        <Button look="bare" keys="R" onClick={draft}>
          {t.draft}
        </Button>
        {drafted !== null && text === drafted && <Pill tone="warn">{t.draftUnedited}</Pill>}
        <p className="quiet small">{t.draftHint}</p>
      </div>
      {told && (resolution === null || report === null) && (
        <p className="notice warn" role="alert">
          {t.chooseFirst}
        </p>
      )}
      {propose.error && <Failure error={propose.error} />}
      {!propose.error && told && unsaid && (
        <p className="notice warn" role="alert">
          {c.failures['RELATED_TRANSACTIONS_OPEN']}
        </p>
      )}
      {resolution !== null && (
        <div>
          <h3>{t.consequences}</h3>
          <p>{t.consequence[resolution]}</p>
        </div>
      )}
      <div>
        <h3>{t.second}</h3>
        <p className="quiet small">{t.secondHint}</p>
      </div>
      <Button look="main" keys="Ctrl Enter" disabled={propose.isPending} onClick={send}>
        {t.propose}
      </Button>
    </div>
  );
}

/** A text of what the evaluation found and could not look at; the person reads it, changes it and signs. */
function draftOf(
  t: CaseTexts,
  evaluation: Evaluation | null,
  resolution: Decision['resolution'] | null,
  language: 'pt' | 'en',
): string {
  const lines: string[] = [];
  if (evaluation) {
    const hit = reasonsOf(evaluation).map(
      ({ ruleId, name, observed }) =>
        `${inLanguage(name, language) ?? ruleId}${observed === undefined || observed === '' ? '' : ` (${observed})`}`,
    );
    lines.push(hit.length === 0 ? t.draftNone : t.draftReasons(hit.join('; ')));
    const missing = componentsOf(evaluation)
      .filter(([, { state }]) => !wasLooked(state))
      .map(([name, { reason }]) => `${word('component', name)}${reason === undefined ? '' : ` (${reason})`}`);
    if (missing.length > 0) lines.push(t.draftMissing(missing.join('; ')));
  }
  if (resolution !== null) lines.push(t.draftResolution[resolution]);
  return lines.join('\n');
}
