import { Link } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { useMay } from '../../data/me.js';
import { usePeople } from '../../data/people.js';
import { Button, Pill, type Tone } from '../../parts/controls.js';
import { Table } from '../../parts/lists/table.js';
import { useShortcuts } from '../../parts/shortcuts.js';
import { useTitle } from '../../parts/title.js';
import { number, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { useLists } from '../lists/data.js';
import { useRulesets } from '../rules/data.js';
import { AskDialog } from './ask.js';
import { useLookBacks, type Judge, type LookBack } from './data.js';
import { lookBacksTexts } from './texts.js';

const TONES: Readonly<Record<LookBack['status'], Tone>> = {
  QUEUED: 'plain',
  RUNNING: 'info',
  FINISHED: 'good',
  FAILED: 'bad',
  CANCELLED: 'warn',
};

export const StatePill = ({ status }: Pick<LookBack, 'status'>): ReactElement => (
  <Pill tone={TONES[status]}>{word('backtestStatus', status)}</Pill>
);

/** Names what a look-back judged with: a list by its name, where the person may see lists. */
export function useJudgeOf(): (lookBack: LookBack) => string {
  const { items } = useLists();
  return ({ kind, ruleset, version, list }) =>
    kind === 'LIST'
      ? (items?.find(({ id }) => id === list)?.name ?? list ?? '—')
      : `${ruleset ?? '—'}@${version ?? ''}`;
}

/** Every look-back, how far it is, and a new one. */
export function LookBacksScreen(): ReactElement {
  const t = useTexts(lookBacksTexts);
  useTitle(t.title);
  const may = useMay();
  const people = usePeople();
  const lookBacks = useLookBacks();
  const judgeOf = useJudgeOf();
  const [asking, ask] = useState(false);
  const asks = may('rules:publish') === 'YES' || may('lists:manage') === 'YES';
  const begin = (): void => {
    ask(true);
  };
  useShortcuts(asks ? [{ keys: 'N', label: t.ask, footer: true, run: begin }] : []);
  return (
    <div className="stack">
      <header className="row">
        <h1>{t.title}</h1>
        {asks && (
          <Button className="end" look="main" keys="N" onClick={begin}>
            {t.ask}
          </Button>
        )}
      </header>
      <section className="card">
        <Table
          caption={t.title}
          pages={lookBacks}
          keyOf={({ id }) => id}
          empty={t.empty}
          columns={[
            [
              t.judge,
              (one) => (
                <Link to="/look-backs/$id" params={{ id: one.id }}>
                  {judgeOf(one)}
                </Link>
              ),
            ],
            [t.state, ({ status }) => <StatePill status={status} />],
            [t.span, ({ days }) => t.over(days), 'quiet'],
            [
              t.progress,
              ({ done, total }) => (total === null ? t.counting : t.of(number(done), number(total))),
              'number',
            ],
            [t.counts.alerts, ({ counts }) => number(counts.alerts), 'number'],
            [t.asked, ({ requestedBy }) => people(requestedBy) ?? requestedBy],
            [t.begun, ({ createdAt }) => relative(createdAt), 'quiet'],
          ]}
        />
      </section>
      {asking && (
        <Asking
          onClose={() => {
            ask(false);
          }}
        />
      )}
    </div>
  );
}

/** Waits for what is in force, as the dialog begins with the first of it. */
function Asking({ onClose }: { onClose: () => void }): ReactElement | null {
  const may = useMay();
  const rulesets = useRulesets();
  const lists = useLists();
  if ((!rulesets.items && !rulesets.error) || (!lists.items && !lists.error)) return null;
  const judges: readonly Judge[] = [
    ...(may('rules:publish') === 'YES' ? (rulesets.items ?? []) : [])
      .filter(({ status }) => status === 'PUBLISHED')
      .map(({ key, version }) => ({ kind: 'RULESET' as const, key, version })),
    ...(may('lists:manage') === 'YES' ? (lists.items ?? []) : [])
      .filter(({ entries }) => entries > 0)
      .map(({ id, name }) => ({ kind: 'LIST' as const, id, name })),
  ];
  return <AskDialog judges={judges} onClose={onClose} />;
}
