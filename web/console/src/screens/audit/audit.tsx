import { useState, type ReactElement } from 'react';
import { useMay } from '../../data/me.js';
import { Asked } from '../../parts/answers.js';
import { Button, Facts, Pill } from '../../parts/controls.js';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { Table } from '../../parts/lists/table.js';
import { useTitle } from '../../parts/title.js';
import { say } from '../../parts/toasts.js';
import { common } from '../../texts/common.js';
import { dateTime, number, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { useFindings, useRepair, useStatus, type Finding } from './data.js';
import { Exports } from './exports.js';
import { auditTexts } from './texts.js';
import { Entries } from './entries.js';

const KINDS = ['RECONSTRUCT', 'RE_DERIVE', 'RESTORE', 'ATTEST'] as const;

/** The trail: whether it is whole, what stands in it, and how an outsider verifies it. */
export function AuditScreen(): ReactElement {
  const t = useTexts(auditTexts);
  useTitle(t.title);
  return (
    <div className="stack">
      <h1>{t.title}</h1>
      <div className="columns">
        <Health />
        <Exports />
      </div>
      <Findings />
      <Entries />
    </div>
  );
}

function Health(): ReactElement {
  const t = useTexts(auditTexts);
  const status = useStatus();
  return (
    <section className="card stack">
      <h2>{t.health}</h2>
      <Asked query={status}>
        {({ checkpoint, pending, pruned, verifierKeys }) => (
          <>
            {checkpoint === null ? (
              <p className="notice warn">{t.noSeal}</p>
            ) : (
              <Facts
                items={[
                  [t.size, number(checkpoint.size)],
                  [
                    t.signed,
                    <span title={dateTime(checkpoint.signedAt)}>{relative(checkpoint.signedAt)}</span>,
                  ],
                  [t.root, <code>{checkpoint.root}</code>],
                  [t.pending, number(pending)],
                  [t.pruned, number(pruned)],
                  [t.keys, <code>{verifierKeys.join(' ')}</code>],
                ]}
              />
            )}
            {checkpoint !== null && (
              <details>
                <summary className="small">{t.note}</summary>
                <pre className="payload" tabIndex={0}>
                  {checkpoint.note}
                </pre>
              </details>
            )}
            <h3>{t.verify}</h3>
            <ol className="steps small">
              {t.verifySteps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </>
        )}
      </Asked>
    </section>
  );
}

function Findings(): ReactElement {
  const t = useTexts(auditTexts);
  const c = useTexts(common);
  const may = useMay();
  const findings = useFindings();
  const repair = useRepair();
  const [asking, ask] = useState<Finding | null>(null);
  return (
    <section className="card stack">
      <h2>{t.findings}</h2>
      <Table
        caption={t.findings}
        pages={findings}
        keyOf={({ subjectType, subjectId }) => `${subjectType} ${subjectId}`}
        empty={t.findingsEmpty}
        columns={[
          [t.subject, ({ subjectType, subjectId }) => <code>{`${subjectType} ${subjectId}`}</code>],
          [
            t.problem,
            ({ status, gaps }) => (
              <>
                <Pill tone="bad">{word('trail', status)}</Pill>{' '}
                <span className="small">{gaps.map(({ detail }) => detail).join('; ')}</span>
              </>
            ),
          ],
          [t.found, ({ foundAt }) => relative(foundAt), 'quiet'],
          [
            '',
            (finding) =>
              may('audit:repair') === 'YES' && (
                <Button
                  onClick={() => {
                    ask(finding);
                  }}
                >
                  {t.repair}
                </Button>
              ),
          ],
        ]}
      />
      {asking && (
        <FormDialog
          title={t.repair}
          about={asking.subjectId}
          action={t.repair}
          fields={[
            { name: 'kind', label: t.kind, kind: 'choice', options: KINDS.map((one) => [one, t.kinds[one]]) },
            { name: 'justification', label: t.why, kind: 'long', minimum: 20 },
          ]}
          onSend={async (filled) => {
            await repair.mutateAsync({
              subjectType: asking.subjectType,
              subjectId: asking.subjectId,
              kind: KINDS.find((one) => one === filled.text('kind')) ?? 'ATTEST',
              justification: filled.text('justification'),
            });
            say(c.askedSecond);
          }}
          onClose={() => {
            ask(null);
          }}
        >
          <p className="quiet">{t.repairHint}</p>
        </FormDialog>
      )}
    </section>
  );
}
