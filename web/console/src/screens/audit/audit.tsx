import { useState, type ReactElement } from 'react';
import { useMay } from '../../data/me.js';
import { usePeople } from '../../data/people.js';
import { Asked } from '../../parts/answers.js';
import { Button, Facts, Field, Pill } from '../../parts/controls.js';
import { Dialog } from '../../parts/dialogs/dialog.js';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { Table } from '../../parts/lists/table.js';
import { useTitle } from '../../parts/title.js';
import { say } from '../../parts/toasts.js';
import { common } from '../../texts/common.js';
import { dateTime, number, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import {
  useEntries,
  useFindings,
  useRepair,
  useStatus,
  useTrail,
  type Entry,
  type EntryFilter,
  type Finding,
  type Subject,
} from './data.js';
import { Exports } from './exports.js';
import { auditTexts } from './texts.js';

const SUBJECTS: readonly Subject[] = [
  'transaction',
  'review',
  'customer',
  'screening_hit',
  'screening_list',
  'ruleset',
  'rule',
  'session',
  'communication',
  'approval',
  'operator',
  'client_app',
  'webhook_endpoint',
  'audit_export',
  'audit_log',
];
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

function Entries(): ReactElement {
  const t = useTexts(auditTexts);
  const people = usePeople();
  const [filter, setFilter] = useState<EntryFilter>({});
  const [type, setType] = useState('');
  const [id, setId] = useState('');
  const [action, setAction] = useState('');
  const [shown, show] = useState<Entry | null>(null);
  const entries = useEntries(filter);
  const nameOf = (actor: string): string => people(/opr_\w+/.exec(actor)?.[0] ?? null) ?? actor;
  return (
    <section className="card stack">
      <h2>{t.entries}</h2>
      <form
        className="fields"
        onSubmit={(event) => {
          event.preventDefault();
          const subjectType = SUBJECTS.find((one) => one === type);
          setFilter({
            ...(subjectType !== undefined && { subjectType }),
            ...(id.trim() !== '' && { subjectId: id.trim() }),
            ...(action.trim() !== '' && { action: action.trim() }),
          });
        }}
      >
        <Field label={t.type}>
          {(given) => (
            <select
              {...given}
              value={type}
              onChange={(event) => {
                setType(event.target.value);
              }}
            >
              <option value="">{t.any}</option>
              {SUBJECTS.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t.id}>
          {(given) => (
            <input
              {...given}
              value={id}
              onChange={(event) => {
                setId(event.target.value);
              }}
            />
          )}
        </Field>
        <Field label={t.action}>
          {(given) => (
            <input
              {...given}
              value={action}
              onChange={(event) => {
                setAction(event.target.value);
              }}
            />
          )}
        </Field>
        <Button type="submit">{t.search}</Button>
      </form>
      <Table
        caption={t.entries}
        pages={entries}
        keyOf={({ index }) => index}
        empty={t.entriesEmpty}
        columns={[
          ['#', ({ index }) => number(index), 'number'],
          [t.when, ({ occurredAt }) => dateTime(occurredAt), 'quiet'],
          [
            t.subject,
            ({ subjectType, subjectId }) => <code>{`${subjectType} ${subjectId.slice(0, 12)}…`}</code>,
          ],
          [t.action, ({ action: one }) => <code>{one}</code>],
          [t.actor, ({ actor }) => nameOf(actor), 'quiet'],
          [
            '',
            (entry) => (
              <Button
                onClick={() => {
                  show(entry);
                }}
              >
                {t.look}
              </Button>
            ),
          ],
        ]}
      />
      {shown && (
        <EntryDialog
          entry={shown}
          onClose={() => {
            show(null);
          }}
        />
      )}
    </section>
  );
}

function EntryDialog({ entry, onClose }: { entry: Entry; onClose: () => void }): ReactElement {
  const t = useTexts(auditTexts);
  const trail = useTrail(entry.subjectType, entry.subjectId);
  return (
    <Dialog title={`${entry.subjectType} ${entry.action}`} wide onClose={onClose}>
      <div className="stack">
        <p className="small">
          <code>{entry.subjectId}</code>
        </p>
        <Asked query={trail} lines={1}>
          {({ status, length, gaps }) => (
            <p className="row">
              {t.trail}: <Pill tone={status === 'COMPLETE' ? 'good' : 'bad'}>{word('trail', status)}</Pill>
              {t.entriesCount(number(length))}
              <span className="small">{gaps.map(({ detail }) => detail).join('; ')}</span>
            </p>
          )}
        </Asked>
        <h3>{t.content}</h3>
        <pre className="payload" tabIndex={0}>
          {JSON.stringify(entry.content, null, 2)}
        </pre>
        <p className="small">
          {t.hash}: <code>{entry.hash}</code>
        </p>
      </div>
    </Dialog>
  );
}
