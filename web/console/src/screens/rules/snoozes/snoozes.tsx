import { Link } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { now } from '../../../api/clock.js';
import { useMay } from '../../../data/me.js';
import { usePeople } from '../../../data/people.js';
import { useComplain } from '../../../parts/complain.js';
import { Button, Pill } from '../../../parts/controls.js';
import { FormDialog } from '../../../parts/dialogs/form-dialog.js';
import { Table } from '../../../parts/lists/table.js';
import { say } from '../../../parts/toasts.js';
import { common } from '../../../texts/common.js';
import { momentOf } from '../../../texts/days.js';
import { dateTime, relative } from '../../../texts/formats.js';
import { useTexts } from '../../../texts/language.js';
import type { Ruleset } from '../data.js';
import { useLiftSnooze, useSnooze, useSnoozes, type Snooze } from './data.js';
import { snoozesTexts } from './texts.js';

/** When a rule counts again, or since when it does. */
const backAt = ({ liftedAt, endsAt }: Snooze): string => liftedAt ?? endsAt;
const isSilent = (snooze: Snooze): boolean => new Date(backAt(snooze)).getTime() > now();

/** Rules that have no effect for a while: two people silence one, one person ends it. */
export function Snoozes({ ruleset: { key, rules } }: { ruleset: Ruleset }): ReactElement {
  const t = useTexts(snoozesTexts);
  const c = useTexts(common);
  const may = useMay();
  const people = usePeople();
  const complain = useComplain();
  const snoozes = useSnoozes(key);
  const snooze = useSnooze(key);
  const lift = useLiftSnooze(key);
  const [asking, ask] = useState(false);
  const publishes = may('rules:publish') === 'YES';
  return (
    <section className="card stack">
      <header className="row">
        <h2>{t.title}</h2>
        {publishes && (
          <Button
            className="end"
            onClick={() => {
              ask(true);
            }}
          >
            {t.ask}
          </Button>
        )}
      </header>
      <Table
        caption={t.title}
        pages={snoozes}
        keyOf={({ id }) => id}
        empty={t.empty}
        columns={[
          [
            t.rule,
            ({ rule }) => (
              <Link to="/rules/$key" params={{ key: rule }}>
                <code>{rule}</code>
              </Link>
            ),
          ],
          [
            t.state,
            (one) =>
              isSilent(one) ? (
                <Pill tone="warn">{t.until(dateTime(one.endsAt))}</Pill>
              ) : (
                <Pill>{t.over(relative(backAt(one)))}</Pill>
              ),
          ],
          [c.why, ({ reason }) => reason],
          [t.by, ({ createdBy }) => people(createdBy) ?? createdBy, 'quiet'],
          [
            '',
            (one) =>
              publishes &&
              isSilent(one) && (
                <Button
                  onClick={() => {
                    lift.mutate(one.id, {
                      onSuccess: () => {
                        say(t.lifted);
                      },
                      onError: complain,
                    });
                  }}
                >
                  {t.lift}
                </Button>
              ),
          ],
        ]}
      />
      {asking && (
        <FormDialog
          title={t.ask}
          action={t.ask}
          fields={[
            {
              name: 'rule',
              label: t.rule,
              kind: 'choice',
              options: rules.filter(({ mode }) => mode === 'LIVE').map((one) => [one.key, one.key]),
            },
            { name: 'day', label: t.lastDay, kind: 'date', hint: t.lastDayHint },
            { name: 'reason', label: c.why, kind: 'long', minimum: 10 },
          ]}
          onSend={async (filled) => {
            const until = momentOf(`${filled.text('day')}T23:59`);
            await snooze.mutateAsync({
              rule: filled.text('rule'),
              body: { until, reason: filled.text('reason') },
            });
            say(c.askedSecond);
          }}
          onClose={() => {
            ask(false);
          }}
        >
          <p className="quiet">{t.askHint}</p>
        </FormDialog>
      )}
    </section>
  );
}
