import { Link } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { useDeadLetters, useDiscard, useReplay, type DeadLetter } from '../../data/dead-letters.js';
import { useMay } from '../../data/me.js';
import { asProblem } from '../../api/problem.js';
import { fromTo } from '../../parts/from-to.js';
import { failureText } from '../../parts/failure-text.js';
import { Empty, Failure, Skeleton } from '../../parts/answers.js';
import { Button, Pill } from '../../parts/controls.js';
import { Tabs } from '../../parts/lists/tabs.js';
import { useTitle } from '../../parts/title.js';
import { say } from '../../parts/toasts.js';
import { WritingDialog } from '../../parts/dialogs/writing-dialog.js';
import { common } from '../../texts/common.js';
import { money, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { deadLettersTexts } from './texts.js';

const TABS = ['waiting', 'discarded'] as const;

/** Transactions that stopped: put back into the queue, or given up by two people. */
export function DeadLettersScreen(): ReactElement {
  const t = useTexts(deadLettersTexts);
  const c = useTexts(common);
  useTitle(t.title);
  const may = useMay();
  const [tab, setTab] = useState<(typeof TABS)[number]>('waiting');
  const letters = useDeadLetters(tab === 'discarded');
  const replay = useReplay();
  const discard = useDiscard();
  const [asking, ask] = useState<DeadLetter | null>(null);
  const works = may('kyt:replay') === 'YES' && tab === 'waiting';

  const back = (id: string): void => {
    replay.mutate(id, {
      onSuccess: () => {
        say(t.replayed);
      },
      onError: (error) => {
        say(failureText(asProblem(error), c), { bad: true });
      },
    });
  };
  return (
    <div className="stack">
      <h1>{t.title}</h1>
      <Tabs label={t.title} values={TABS} value={tab} names={t.tabs} onChange={setTab} />
      {letters.error && <Failure error={letters.error} retry={() => void letters.refetch()} />}
      <section className="card scroll">
        {!letters.items && !letters.error && <Skeleton />}
        {letters.items?.length === 0 && (
          <Empty title={tab === 'waiting' ? t.empty : t.emptyDiscarded}>
            {tab === 'waiting' && t.emptyText}
          </Empty>
        )}
        {letters.items && letters.items.length > 0 && (
          <table>
            <caption className="hidden">{t.list}</caption>
            <thead>
              <tr>
                <th scope="col">{t.number}</th>
                <th scope="col">{t.what}</th>
                <th scope="col">{t.failure}</th>
                <th scope="col">{t.received}</th>
                {works && <td />}
              </tr>
            </thead>
            <tbody>
              {letters.items.map((letter) => (
                <tr key={letter.id}>
                  <td>
                    <Link to="/transactions/$id" params={{ id: letter.id }}>
                      {letter.transactionId}
                    </Link>{' '}
                    {letter.generation > 1 && <Pill tone="warn">{t.generation(letter.generation)}</Pill>}
                  </td>
                  <td>
                    <strong>{money(letter.amount, letter.currency)}</strong>{' '}
                    <span className="quiet small">
                      {[word('transactionType', letter.type), fromTo(letter)].filter(Boolean).join(' · ')}
                    </span>
                  </td>
                  <td>
                    <code>{letter.failure.code}</code>{' '}
                    <span className="quiet small">
                      <bdi>{letter.failure.stage}</bdi> · {t.attempts(letter.failure.attempts)}
                    </span>
                  </td>
                  <td className="quiet">{relative(letter.receivedAt)}</td>
                  {works && (
                    <td>
                      <span className="row">
                        <Button
                          disabled={replay.isPending}
                          onClick={() => {
                            back(letter.id);
                          }}
                        >
                          {t.replay}
                        </Button>
                        <Button
                          look="danger"
                          onClick={() => {
                            ask(letter);
                          }}
                        >
                          {t.discard}
                        </Button>
                      </span>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
      {letters.hasMore && (
        <Button disabled={letters.loadingMore} onClick={letters.more}>
          {c.more}
        </Button>
      )}
      {asking && (
        <WritingDialog
          title={t.discard}
          about={asking.id}
          label={t.why}
          action={t.discard}
          danger
          onSend={async (reason) => {
            await discard.mutateAsync({ id: asking.id, reason });
            say(t.asked);
          }}
          onClose={() => {
            ask(null);
          }}
        >
          <p className="quiet">{t.discardHint}</p>
        </WritingDialog>
      )}
    </div>
  );
}
