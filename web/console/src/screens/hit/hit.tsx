import './hit.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { useDispose, useHit, type Disposition, type Hit } from '../../data/hits.js';
import { useMay } from '../../data/me.js';
import { usePeople } from '../../data/people.js';
import { Asked } from '../../parts/answers.js';
import { Button, Facts, Pill } from '../../parts/controls.js';
import { useShortcuts } from '../../parts/shortcuts.js';
import { useTitle } from '../../parts/title.js';
import { say } from '../../parts/toasts.js';
import { WritingDialog } from '../../parts/dialogs/writing-dialog.js';
import { common } from '../../texts/common.js';
import { date, percent, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { draftOf } from './draft.js';
import { EqualHits } from './equal.js';
import { Fields } from './fields.js';
import { hitTexts } from './texts.js';

/** A name beside the entry that it may be, word by word. */
export function HitScreen(): ReactElement {
  const t = useTexts(hitTexts);
  const { id = '' }: { id?: string } = useParams({ strict: false });
  useTitle(t.title);
  const hit = useHit(id);
  return <Asked query={hit}>{(data) => <SideBySide key={data.id} hit={data} />}</Asked>;
}

const CHOICES = [
  ['CONFIRMED', 'Y', 'same'],
  ['DISMISSED_FALSE_POSITIVE', 'N', 'notSame'],
  ['ESCALATED', 'U', 'unsure'],
] as const;

function SideBySide({ hit }: { hit: Hit }): ReactElement {
  const t = useTexts(hitTexts);
  const c = useTexts(common);
  const may = useMay();
  const people = usePeople();
  const navigate = useNavigate();
  const search: { readonly case?: unknown } = useSearch({ strict: false });
  const from = typeof search.case === 'string' ? search.case : null;
  const dispose = useDispose();
  const [choice, choose] = useState<Disposition['disposition'] | null>(null);
  const open = hit.status === 'PENDING' || hit.status === 'ESCALATED';
  const allowed = may('hits:decide');

  useShortcuts(
    open && allowed === 'YES'
      ? CHOICES.map(([disposition, keys, name]) => ({
          keys,
          label: t[name],
          footer: true,
          run: () => {
            choose(disposition);
          },
        }))
      : [],
  );

  return (
    <div className="stack hit">
      <header className="row">
        {from !== null && (
          <Link to="/cases/$id" params={{ id: from }}>
            ← {t.back}
          </Link>
        )}
        <h1>{t.title}</h1>
        <Pill tone={hit.status === 'PENDING' ? 'bad' : 'plain'}>{word('hitStatus', hit.status)}</Pill>
        {hit.mandatory && <Pill tone="warn">{t.mandatory}</Pill>}
        {hit.singleControl && <Pill tone="warn">{t.single}</Pill>}
      </header>
      <Fields hit={hit} />
      <section className="card stack">
        {hit.decidedBy !== null && hit.decidedAt !== null && (
          <p>{t.decided(people(hit.decidedBy) ?? '', relative(hit.decidedAt))}</p>
        )}
        {hit.justification !== null && <blockquote className="quote">{hit.justification}</blockquote>}
        {hit.expiresAt !== null && <p className="quiet">{t.until(date(hit.expiresAt))}</p>}
        {hit.reopened > 0 && <p className="quiet">{t.reopened(hit.reopened)}</p>}
        {open && (
          <>
            <div className="row">
              {CHOICES.map(([disposition, keys, name]) => (
                <Button
                  key={disposition}
                  keys={keys}
                  disabled={allowed !== 'YES'}
                  onClick={() => {
                    choose(disposition);
                  }}
                >
                  {t[name]}
                </Button>
              ))}
            </div>
            {allowed === 'YES' && <EqualHits hit={hit} />}
            {allowed !== 'YES' && <p className="quiet">{allowed === 'LOCKED' ? c.strongNeeded : t.mayNot}</p>}
          </>
        )}
      </section>
      <section className="card stack">
        <h2>{t.alignment}</h2>
        <Facts
          items={[
            [t.score, <strong key="score">{percent(hit.score)}</strong>],
            [t.nameScore, percent(hit.nameScore)],
            [t.strength, word('strength', hit.strength)],
            [
              t.equal,
              hit.equal.length === 0 ? (
                <span className="quiet">{t.equalNone}</span>
              ) : (
                hit.equal.map((one) => word('listedValue', one)).join(', ')
              ),
            ],
          ]}
        />
        <div className="scroll" role="region" aria-label={t.alignment} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t.here}</th>
                <th scope="col">{t.there}</th>
                <th scope="col">{t.how}</th>
                <th scope="col" className="number">
                  {t.likeness}
                </th>
              </tr>
            </thead>
            <tbody>
              {hit.alignment.map(({ left, right, how, similarity }, at) => (
                <tr key={at}>
                  <td>{left ?? '—'}</td>
                  <td>{right ?? '—'}</td>
                  <td>
                    <Pill tone={how === 'EXACT' ? 'good' : similarity === 0 ? 'bad' : 'warn'}>
                      {word('alignment', how)}
                    </Pill>
                  </td>
                  <td className="number">{percent(similarity)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
      {choice !== null && (
        <WritingDialog
          title={t[CHOICES.find(([one]) => one === choice)?.[2] ?? 'unsure']}
          label={t.why}
          minimum={20}
          draft={() => draftOf(hit, choice, t)}
          action={t[CHOICES.find(([one]) => one === choice)?.[2] ?? 'unsure']}
          onSend={async (justification) => {
            const { asked } = await dispose.mutateAsync({
              hit,
              body: { disposition: choice, justification },
            });
            say(asked ? t.sent : t.done);
            if (from !== null) await navigate({ to: '/cases/$id', params: { id: from } });
          }}
          onClose={() => {
            choose(null);
          }}
        >
          {hit.mandatory && choice !== 'ESCALATED' && <p className="notice">{t.ifMandatory}</p>}
          {choice === 'DISMISSED_FALSE_POSITIVE' && <p className="quiet">{t.ifDismissed}</p>}
        </WritingDialog>
      )}
    </div>
  );
}
