import { Link } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { now } from '../../api/clock.js';
import { useMay } from '../../data/me.js';
import { Failure } from '../../parts/answers.js';
import { Button, Field, Pill } from '../../parts/controls.js';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { Table } from '../../parts/lists/table.js';
import { useTitle } from '../../parts/title.js';
import { say } from '../../parts/toasts.js';
import { common } from '../../texts/common.js';
import { number, percent, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { numberFrom } from '../../texts/numbers.js';
import { word } from '../../texts/words.js';
import { formats, kinds, useLists, useNewList, useScreen, type Found, type List } from './data.js';
import { listsTexts } from './texts.js';

/** All lists with their age, and the search that screening makes. */
export function ListsScreen(): ReactElement {
  const t = useTexts(listsTexts);
  const c = useTexts(common);
  useTitle(t.title);
  const may = useMay();
  const lists = useLists();
  const make = useNewList();
  const [making, setMaking] = useState(false);
  return (
    <div className="stack">
      <header className="row">
        <h1>{t.title}</h1>
        {may('lists:manage') === 'YES' && (
          <Button
            className="end"
            onClick={() => {
              setMaking(true);
            }}
          >
            {t.new}
          </Button>
        )}
      </header>
      <section className="card">
        <Table
          caption={t.list}
          pages={lists}
          keyOf={({ id }) => id}
          empty={t.empty}
          columns={[
            [
              t.name,
              ({ id, name, key }) => (
                <>
                  <Link to="/lists/$id" params={{ id }}>
                    {name}
                  </Link>{' '}
                  <code className="quiet">{key}</code>
                </>
              ),
            ],
            [t.kind, ({ kind }) => word('listKind', kind)],
            [t.entries, ({ entries }) => number(entries), 'number'],
            [t.published, ({ publishedAt }) => (publishedAt === null ? '—' : relative(publishedAt)), 'quiet'],
            [t.state, (list) => <Age list={list} />],
          ]}
        />
      </section>
      {may('screening:read') === 'YES' && <Screening />}
      {making && (
        <FormDialog
          title={t.new}
          action={t.create}
          fields={[
            { name: 'name', label: t.name, kind: 'text' },
            { name: 'key', label: t.key, kind: 'text', hint: t.keyHint },
            {
              name: 'kind',
              label: t.kind,
              kind: 'choice',
              options: kinds.map((one) => [one, word('listKind', one)]),
            },
            { name: 'format', label: t.format, kind: 'choice', options: formats.map((one) => [one, one]) },
          ]}
          onSend={async (filled) => {
            await make.mutateAsync({
              name: filled.text('name'),
              key: filled.text('key'),
              kind: filled.text('kind') as List['kind'],
              format: filled.text('format') as List['format'],
            });
            say(c.saved);
          }}
          onClose={() => {
            setMaking(false);
          }}
        />
      )}
    </div>
  );
}

/** Whether the list can be relied on now. */
export function Age({ list }: { list: List }): ReactElement {
  const t = useTexts(listsTexts);
  if (list.archivedAt !== null) return <Pill>{t.archived}</Pill>;
  if (list.publishedAt === null) return <Pill tone="warn">{t.never}</Pill>;
  if (!list.indexed) return <Pill tone="info">{t.building}</Pill>;
  const days = (now() - new Date(list.publishedAt).getTime()) / 86_400_000;
  const stale = list.staleAfterDays !== null && days > list.staleAfterDays;
  return <Pill tone={stale ? 'bad' : 'good'}>{stale ? t.stale : t.fresh}</Pill>;
}

function Screening(): ReactElement {
  const t = useTexts(listsTexts);
  const screen = useScreen();
  const [asked, setAsked] = useState({ name: '', document: '', birthDate: '', threshold: '' });
  const input = (name: keyof typeof asked, label: string, type = 'text'): ReactElement => (
    <Field label={label}>
      {(given) => (
        <input
          {...given}
          type={type}
          autoComplete="off"
          value={asked[name]}
          onChange={(event) => {
            setAsked({ ...asked, [name]: event.target.value });
          }}
        />
      )}
    </Field>
  );
  return (
    <section className="card stack">
      <h2>{t.search}</h2>
      <p className="quiet small">{t.searchHint}</p>
      <form
        className="fields"
        onSubmit={(event) => {
          event.preventDefault();
          if (asked.name.trim() === '') return;
          screen.mutate({
            name: asked.name.trim(),
            ...(asked.document !== '' && { document: asked.document }),
            ...(asked.birthDate !== '' && { birthDate: asked.birthDate }),
            ...(asked.threshold !== '' && { threshold: numberFrom(asked.threshold) }),
          });
        }}
      >
        {input('name', t.searchName)}
        {input('document', t.searchDocument)}
        {input('birthDate', t.searchBorn, 'date')}
        {input('threshold', t.searchThreshold)}
        <Button look="main" type="submit" disabled={screen.isPending}>
          {t.searchGo}
        </Button>
      </form>
      {screen.error && <Failure error={screen.error} />}
      <div role="status" className="stack">
        {screen.data?.length === 0 && <p>{t.searchNone}</p>}
        {screen.data?.map((found, at) => (
          <FoundEntry key={at} found={found} />
        ))}
      </div>
    </section>
  );
}

/** One entry that is alike, and why it is. */
function FoundEntry({ found }: { found: Found }): ReactElement {
  const t = useTexts(listsTexts);
  return (
    <details className="found">
      <summary>
        <strong>{found.entry.names[0] ?? found.entry.key}</strong>{' '}
        <Pill tone="info">{percent(found.score)}</Pill> <Pill>{word('strength', found.strength)}</Pill>{' '}
        {found.mandatory && <Pill tone="bad">{t.forces}</Pill>}{' '}
        <span className="quiet">
          {found.list} · {word('listKind', found.listKind)}
        </span>
      </summary>
      <div className="scroll">
        <table>
          <caption className="hidden">{t.explain}</caption>
          <tbody>
            {found.alignment.map(({ left, right, how, similarity }, at) => (
              <tr key={at}>
                <td>{left ?? '—'}</td>
                <td>{right ?? '—'}</td>
                <td className="quiet">{word('alignment', how)}</td>
                <td className="number">{percent(similarity)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="quiet small">
        {[
          found.entry.names.slice(1).join('; '),
          found.entry.maskedDocument,
          found.entry.birthDates.join(', '),
          found.entry.countries.join(', '),
          found.entry.remarks,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </details>
  );
}
