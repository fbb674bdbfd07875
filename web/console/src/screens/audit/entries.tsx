import { useState, type ReactElement } from 'react';
import { Asked } from '../../parts/answers.js';
import { Button, Field, Pill } from '../../parts/controls.js';
import { Dialog } from '../../parts/dialogs/dialog.js';
import { useActor } from '../../parts/evidence/trail.js';
import { Table } from '../../parts/lists/table.js';
import { dateTime, number } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { useEntries, useTrail, type Entry, type EntryFilter, type Subject } from './data.js';
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

export function Entries(): ReactElement {
  const t = useTexts(auditTexts);
  const [filter, setFilter] = useState<EntryFilter>({});
  const [type, setType] = useState('');
  const [id, setId] = useState('');
  const [action, setAction] = useState('');
  const [shown, show] = useState<Entry | null>(null);
  const entries = useEntries(filter);
  const nameOf = useActor();
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
