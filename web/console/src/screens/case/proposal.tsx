import { useRef, useState, type ReactElement } from 'react';
import { asProblem } from '../../api/problem.js';
import { useRelated } from '../../data/case-parts.js';
import { usePropose, type CaseFile, type Decision } from '../../data/cases.js';
import { useTyped } from '../../data/calls/typed.js';
import { useMay } from '../../data/me.js';
import { Failure } from '../../parts/answers.js';
import { Button, Field, Pill } from '../../parts/controls.js';
import { useShortcuts } from '../../parts/shortcuts.js';
import { say } from '../../parts/toasts.js';
import { common } from '../../texts/common.js';
import { useLanguage, useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { conclusionOf, draftOf } from './findings.js';
import { Related } from './related.js';
import { caseTexts } from './texts.js';

const RESOLUTIONS = ['APPROVED', 'REJECTED', 'FALSE_POSITIVE'] as const;

const REPORTS = [
  ['COMMUNICATE', 'C'],
  ['ARCHIVE', 'V'],
] as const;

const MINIMUM = 20;

interface Written {
  readonly resolution: Decision['resolution'] | null;
  readonly report: Decision['report'] | null;
  readonly text: string;
  /** Why related payments stay out of the case. */
  readonly without: string;
  /** The text as it was made of the evidence; null while none was made. */
  readonly drafted: string | null;
}
const NOTHING: Written = { resolution: null, report: null, text: '', without: '', drafted: null };

/** How one person proposes to end a case: what they write, and a bar in sight with what they choose. */
export function Proposal({ file }: { file: CaseFile }): ReactElement {
  const t = useTexts(caseTexts);
  const c = useTexts(common);
  const language = useLanguage();
  const may = useMay();
  const propose = usePropose(file.id);
  const typed = useTyped<Written>(`${file.id} decision`, NOTHING);
  const { resolution, report, text, without, drafted } = typed.value;
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

  const set = (part: Partial<Written>): void => {
    typed.set({ ...typed.value, ...part });
  };
  /** A draft goes along with what is chosen, so that it never argues for something else. */
  const choose = (part: Partial<Pick<Written, 'resolution' | 'report'>>): void => {
    const before = { resolution, report };
    const next = { ...before, ...part };
    if (text === drafted) {
      const made = draftOf(file, next, language);
      set({ ...next, text: made, drafted: made });
      return;
    }
    const said = conclusionOf(before, language);
    set({ ...next, text: said === '' ? text : text.replace(said, conclusionOf(next, language)) });
  };
  const resolve = (one: Decision['resolution']): void => {
    // A false positive is communicated to nobody; for the others a person says it.
    choose({ resolution: one, ...(one === 'FALSE_POSITIVE' && { report: 'ARCHIVE' }) });
  };
  const draft = (): void => {
    const made = draftOf(file, { resolution, report }, language);
    set({ text: made, drafted: made });
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
          typed.sent();
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
              resolve(one);
            },
          })),
          ...REPORTS.map(([one, key]) => ({
            keys: key,
            label: word('report', one),
            run: () => {
              choose({ report: one });
            },
          })),
          { keys: 'R', label: t.draft, footer: true, run: draft },
          { keys: 'Ctrl Enter', label: t.propose, footer: true, run: send },
        ]
      : [],
  );

  if (allowed !== 'YES') {
    return (
      <section className="card stack" aria-label={t.decide}>
        <h2>{t.decide}</h2>
        <p className="notice">{allowed === 'LOCKED' ? c.strongNeeded : t.mayNot}</p>
      </section>
    );
  }
  return (
    <>
      <section className="card stack" aria-label={t.decide}>
        <h2>{t.decide}</h2>
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
        {communicates && (
          <Related
            caseId={file.id}
            related={related}
            minimum={MINIMUM}
            without={without}
            told={told}
            onWithout={(reason) => {
              set({ without: reason });
            }}
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
                set({ text: event.target.value });
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
      </section>
      <footer className="decision" aria-label={t.decide}>
        {told && (resolution === null || report === null) && (
          <p className="notice warn" role="alert">
            {t.chooseFirst}
          </p>
        )}
        {told && resolution !== null && report !== null && length < MINIMUM && (
          <p className="notice warn" role="alert">
            {t.justifyFirst(MINIMUM)}
          </p>
        )}
        {propose.error && <Failure error={propose.error} />}
        {!propose.error && told && unsaid && (
          <p className="notice warn" role="alert">
            {c.failures['RELATED_TRANSACTIONS_OPEN']}
          </p>
        )}
        <div className="row">
          <div className="choices" role="group" aria-label={t.resolution}>
            {RESOLUTIONS.map((one, at) => (
              <Button
                key={one}
                keys={String(at + 1)}
                aria-pressed={resolution === one}
                onClick={() => {
                  resolve(one);
                }}
              >
                {word('resolution', one)}
              </Button>
            ))}
          </div>
          <div className="choices" role="group" aria-label={t.report}>
            {REPORTS.map(([one, key]) => (
              <Button
                key={one}
                keys={key}
                aria-pressed={report === one}
                onClick={() => {
                  choose({ report: one });
                }}
              >
                {word('report', one)}
              </Button>
            ))}
          </div>
          <Button className="end" look="main" keys="Ctrl Enter" disabled={propose.isPending} onClick={send}>
            {t.propose}
          </Button>
        </div>
      </footer>
    </>
  );
}
