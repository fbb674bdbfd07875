import { Link, useParams } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { useMay } from '../../data/me.js';
import { Asked } from '../../parts/answers.js';
import { Button, Facts, Pill } from '../../parts/controls.js';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { Table } from '../../parts/lists/table.js';
import { useTitle } from '../../parts/title.js';
import { say } from '../../parts/toasts.js';
import { common } from '../../texts/common.js';
import { number } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { AskDialog } from '../look-backs/ask.js';
import { lookBacksTexts } from '../look-backs/texts.js';
import { useChangeList, useEntries, useList, type List } from './data.js';
import { Imports } from './imports.js';
import { Age } from './lists.js';
import { listsTexts } from './texts.js';

/** One list: its thresholds, what was imported, and what stands in it. */
export function ListScreen(): ReactElement {
  const t = useTexts(listsTexts);
  const { id = '' }: { id?: string } = useParams({ strict: false });
  useTitle(t.title);
  const list = useList(id);
  return (
    <Asked query={list}>
      {(data) => (
        <div className="stack">
          <header className="row">
            <Link to="/lists">← {t.back}</Link>
            <h1>{data.name}</h1>
            <Pill>{word('listKind', data.kind)}</Pill>
            <Age list={data} />
            <LookBack list={data} />
          </header>
          <div className="columns">
            <Thresholds list={data} />
            <Imports list={data} />
          </div>
          <Entries id={data.id} />
        </div>
      )}
    </Asked>
  );
}

/** Runs the list over what was judged before it was there, when a second person approves. */
function LookBack({ list: { id, name, entries } }: { list: List }): ReactElement | null {
  const t = useTexts(lookBacksTexts);
  const may = useMay();
  const [asking, ask] = useState(false);
  if (entries === 0 || may('lists:manage') !== 'YES') return null;
  return (
    <>
      <Button
        className="end"
        onClick={() => {
          ask(true);
        }}
      >
        {t.ask}
      </Button>
      {asking && (
        <AskDialog
          judges={[{ kind: 'LIST', id, name }]}
          onClose={() => {
            ask(false);
          }}
        />
      )}
    </>
  );
}

function Thresholds({ list }: { list: List }): ReactElement {
  const t = useTexts(listsTexts);
  const c = useTexts(common);
  const may = useMay();
  const change = useChangeList(list.id);
  const [asking, ask] = useState(false);
  return (
    <section className="card stack">
      <h2>{t.thresholds}</h2>
      <Facts
        items={[
          [t.evidenceThreshold, number(list.evidenceThreshold)],
          [t.mandatoryThreshold, number(list.mandatoryThreshold)],
          [t.staleAfterDays, list.staleAfterDays === null ? t.neverStale : number(list.staleAfterDays)],
          [t.format, <code key="format">{list.format}</code>],
          [t.entries, number(list.entries)],
        ]}
      />
      {/* The range of scores: what is kept, and from where a person has to decide. */}
      <svg className="scale" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect
          className="kept"
          x={list.evidenceThreshold * 100}
          width={100 - list.evidenceThreshold * 100}
          height="6"
        />
        <rect
          className="forced"
          x={list.mandatoryThreshold * 100}
          width={100 - list.mandatoryThreshold * 100}
          height="6"
        />
      </svg>
      {may('lists:manage') === 'YES' && (
        <div>
          <Button
            onClick={() => {
              ask(true);
            }}
          >
            {t.change}
          </Button>
        </div>
      )}
      {asking && (
        <FormDialog
          title={t.change}
          action={t.change}
          fields={[
            {
              name: 'evidenceThreshold',
              label: t.evidenceThreshold,
              kind: 'number',
              initial: String(list.evidenceThreshold),
            },
            {
              name: 'mandatoryThreshold',
              label: t.mandatoryThreshold,
              kind: 'number',
              initial: String(list.mandatoryThreshold),
            },
            {
              name: 'staleAfterDays',
              label: t.staleAfterDays,
              kind: 'number',
              optional: true,
              initial: String(list.staleAfterDays ?? ''),
            },
            { name: 'reason', label: c.why, kind: 'long', minimum: 10 },
          ]}
          onSend={async (filled) => {
            await change.mutateAsync({
              ...filled.number('evidenceThreshold'),
              ...filled.number('mandatoryThreshold'),
              staleAfterDays: filled.number('staleAfterDays').staleAfterDays ?? null,
              reason: filled.text('reason'),
            });
            say(c.askedSecond);
          }}
          onClose={() => {
            ask(false);
          }}
        >
          <p className="quiet">{t.changeHint}</p>
        </FormDialog>
      )}
    </section>
  );
}

function Entries({ id }: { id: string }): ReactElement {
  const t = useTexts(listsTexts);
  const entries = useEntries(id);
  return (
    <section className="card stack">
      <h2>{t.entriesTitle}</h2>
      <Table
        caption={t.entriesTitle}
        pages={entries}
        keyOf={({ key }) => key}
        empty={t.entriesEmpty}
        columns={[
          [t.key, ({ key }) => <code>{key}</code>],
          [t.names, ({ names }) => names.slice(0, 3).join('; ') || '—'],
          [
            t.document,
            ({ maskedDocument, values }) =>
              maskedDocument ?? (values.map(({ type, value }) => `${type} ${value}`).join('; ') || '—'),
          ],
          [t.countries, ({ countries }) => countries.join(', ') || '—', 'quiet'],
          [t.remarks, ({ remarks }) => remarks ?? '—', 'quiet'],
        ]}
      />
    </section>
  );
}
