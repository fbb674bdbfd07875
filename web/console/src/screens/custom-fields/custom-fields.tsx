import { useState, type ReactElement } from 'react';
import { useMay } from '../../data/me.js';
import { usePeople } from '../../data/people.js';
import { Asked } from '../../parts/answers.js';
import { useComplain } from '../../parts/complain.js';
import { Button, Pill } from '../../parts/controls.js';
import { WritingDialog } from '../../parts/dialogs/writing-dialog.js';
import { Table } from '../../parts/lists/table.js';
import { useShortcuts } from '../../parts/shortcuts.js';
import { useTitle } from '../../parts/title.js';
import { say } from '../../parts/toasts.js';
import { without } from '../../parts/without.js';
import { common } from '../../texts/common.js';
import { number, relative } from '../../texts/formats.js';
import { useLanguage, useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import {
  useAskForCustomFields,
  useBackfills,
  useCustomFields,
  useRetry,
  useVersions,
  type Field,
  type Schema,
} from './data.js';
import { FieldDialog } from './field.js';
import { customFieldTexts } from './texts.js';

/** Names and types for the metadata of transactions, so that rules can read it. */
export function CustomFieldsScreen(): ReactElement {
  const t = useTexts(customFieldTexts);
  useTitle(t.title);
  const customFields = useCustomFields();
  return (
    <div className="stack">
      <Asked query={customFields}>{(data) => <Fields key={data.version} schema={data} />}</Asked>
      <div className="columns">
        <Backfills />
        <Versions />
      </div>
    </div>
  );
}

const proposed = (schema: Schema): readonly Field[] =>
  schema.fields.map(({ codes, ...field }) => ({
    ...without(field, 'number'),
    ...(codes !== null && { codes }),
  }));

/** The fields in force, and those that somebody proposes in their place. */
function Fields({ schema }: { schema: Schema }): ReactElement {
  const t = useTexts(customFieldTexts);
  const c = useTexts(common);
  const language = useLanguage();
  const may = useMay();
  const ask = useAskForCustomFields();
  const before = proposed(schema);
  const [fields, setFields] = useState(before);
  const [editing, edit] = useState<Field | 'NEW' | null>(null);
  const [asking, setAsking] = useState(false);
  const writes = may('rules:publish') === 'YES';
  const changed = JSON.stringify(fields) !== JSON.stringify(before);
  const add = (): void => {
    edit('NEW');
  };
  const send = (): void => {
    setAsking(true);
  };
  useShortcuts([
    ...(writes ? [{ keys: 'N', label: t.add, footer: true, run: add }] : []),
    ...(writes && changed ? [{ keys: 'Ctrl S', label: t.ask, footer: true, run: send }] : []),
  ]);
  return (
    <>
      <header className="row">
        <h1>{t.title}</h1>
        <Pill tone={schema.version === 0 ? 'plain' : 'good'}>{t.inForce(schema.version)}</Pill>
        {writes && (
          <span className="end row">
            <Button keys="N" onClick={add}>
              {t.add}
            </Button>
            <Button look="main" keys="Ctrl S" disabled={!changed} onClick={send}>
              {t.ask}
            </Button>
          </span>
        )}
      </header>
      {changed && (
        <div className="notice warn">
          <p>
            <strong>{t.proposal}.</strong> {t.proposalHint}
          </p>
          <Button
            onClick={() => {
              setFields(before);
            }}
          >
            {t.undo}
          </Button>
        </div>
      )}
      <section className="card">
        <Table
          caption={t.title}
          pages={{ items: fields, error: null, refetch: () => Promise.resolve() }}
          keyOf={({ name }) => name}
          empty={t.empty}
          columns={[
            [
              t.name,
              ({ name, path, label }) => (
                <>
                  <code>{`custom.${name}`}</code>
                  {path !== name && <div className="quiet small">metadata.{path}</div>}
                  <div className="quiet small">{label?.[language === 'pt' ? 'pt-BR' : 'en']}</div>
                </>
              ),
            ],
            [
              t.type,
              ({ type, codes, personal, required }) => (
                <span className="row">
                  {word('customFieldType', type)}
                  {codes && ` (${codes.length})`}
                  {personal === true && <Pill tone="warn">{t.personal}</Pill>}
                  {required === true && <Pill tone="info">{t.required}</Pill>}
                </span>
              ),
            ],
            [
              t.types,
              ({ types = ['*'] }) =>
                types.includes('*')
                  ? t.allTypes
                  : types.map((one) => word('transactionType', one)).join(', '),
            ],
            [t.mismatch, ({ onMismatch }) => word('customFieldMismatch', onMismatch ?? 'WARN'), 'quiet'],
            [t.history, ({ history }) => word('customFieldHistory', history ?? 'NONE'), 'quiet'],
            [
              '',
              (field) =>
                writes && (
                  <span className="row">
                    <Button
                      onClick={() => {
                        edit(field);
                      }}
                    >
                      {t.change}
                    </Button>
                    <Button
                      look="danger"
                      onClick={() => {
                        setFields(fields.filter((one) => one !== field));
                      }}
                    >
                      {t.remove}
                    </Button>
                  </span>
                ),
            ],
          ]}
        />
      </section>
      {editing !== null && (
        <FieldDialog
          field={editing === 'NEW' ? null : editing}
          onKeep={(field) => {
            setFields(
              editing === 'NEW' ? [...fields, field] : fields.map((one) => (one === editing ? field : one)),
            );
          }}
          onClose={() => {
            edit(null);
          }}
        />
      )}
      {asking && (
        <WritingDialog
          title={t.ask}
          label={c.why}
          minimum={10}
          action={t.ask}
          onSend={async (reason) => {
            await ask.mutateAsync({ fields: [...fields], reason });
            say(c.askedSecond);
          }}
          onClose={() => {
            setAsking(false);
          }}
        >
          <p className="quiet">{t.askHint}</p>
        </WritingDialog>
      )}
    </>
  );
}

function Backfills(): ReactElement {
  const t = useTexts(customFieldTexts);
  const may = useMay();
  const complain = useComplain();
  const backfills = useBackfills();
  const retry = useRetry();
  return (
    <section className="card stack">
      <h2>{t.backfills}</h2>
      <Table
        caption={t.backfills}
        pages={backfills}
        keyOf={({ id }) => id}
        empty={t.backfillsEmpty}
        columns={[
          [t.version, ({ schemaVersion }) => schemaVersion, 'number'],
          [
            t.state,
            ({ status, failureCode }) => (
              <>
                <Pill tone={status === 'FINISHED' ? 'good' : status === 'FAILED' ? 'bad' : 'info'}>
                  {word('backtestStatus', status)}
                </Pill>{' '}
                {failureCode !== null && <code>{failureCode}</code>}
              </>
            ),
          ],
          [
            t.progress,
            ({ done, total }) => t.of(number(done), total === null ? '…' : number(total)),
            'number',
          ],
          [t.filled, ({ filled }) => number(filled), 'number'],
          [t.unreadable, ({ unreadable }) => number(unreadable), 'number'],
          [
            '',
            ({ id, status }) =>
              status === 'FAILED' &&
              may('rules:write') === 'YES' && (
                <Button
                  onClick={() => {
                    retry.mutate(id, { onError: complain });
                  }}
                >
                  {t.retry}
                </Button>
              ),
          ],
        ]}
      />
    </section>
  );
}

function Versions(): ReactElement {
  const t = useTexts(customFieldTexts);
  const people = usePeople();
  const versions = useVersions();
  return (
    <section className="card stack">
      <h2>{t.versions}</h2>
      <Table
        caption={t.versions}
        pages={versions}
        keyOf={({ version }) => version}
        empty={t.versionsEmpty}
        columns={[
          [t.version, ({ version }) => version, 'number'],
          [t.fields, ({ fields }) => fields.map(({ name }) => name).join(', ')],
          [t.author, ({ author }) => (author === null ? '—' : (people(author) ?? author))],
          [t.made, ({ createdAt }) => (createdAt === null ? '—' : relative(createdAt)), 'quiet'],
        ]}
      />
    </section>
  );
}
