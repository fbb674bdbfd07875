import { Link } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { now } from '../../api/clock.js';
import { useMay } from '../../data/me.js';
import { usePeople } from '../../data/people.js';
import { Button, Pill } from '../../parts/controls.js';
import { CustomerName } from '../../parts/customer-name.js';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { WritingDialog } from '../../parts/dialogs/writing-dialog.js';
import { Table } from '../../parts/lists/table.js';
import { useTitle } from '../../parts/title.js';
import { say } from '../../parts/toasts.js';
import { common } from '../../texts/common.js';
import { localTimeOf } from '../../texts/days.js';
import { dateTime, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { authorities, useFreezes, useLift, useNotice, type Freeze } from './data.js';
import { freezesTexts } from './texts.js';

/** Freezes: whose assets they are, whom that was told to, and how it ends. */
export function FreezesScreen(): ReactElement {
  const t = useTexts(freezesTexts);
  const c = useTexts(common);
  useTitle(t.title);
  const may = useMay();
  const people = usePeople();
  const freezes = useFreezes();
  const tell = useNotice();
  const lift = useLift();
  const [asking, ask] = useState<{ readonly kind: 'TELL' | 'LIFT'; readonly freeze: Freeze } | null>(null);
  const close = (): void => {
    ask(null);
  };
  return (
    <div className="stack">
      <h1>{t.title}</h1>
      <section className="card">
        <Table
          caption={t.title}
          pages={freezes}
          keyOf={({ id }) => id}
          empty={t.empty}
          columns={[
            [
              t.customer,
              ({ customerId }) =>
                customerId === null ? (
                  t.outside
                ) : (
                  <Link to="/customers/$id" params={{ id: customerId }}>
                    <CustomerName id={customerId} />
                  </Link>
                ),
            ],
            [
              t.hit,
              ({ hitId }) => (
                <Link to="/hits/$id" params={{ id: hitId }}>
                  {t.open}
                </Link>
              ),
            ],
            [
              t.state,
              ({ liftedAt }) =>
                liftedAt === null ? (
                  <Pill tone="bad">{t.inForce}</Pill>
                ) : (
                  <Pill>{t.lifted(relative(liftedAt))}</Pill>
                ),
            ],
            [t.since, ({ frozenAt }) => relative(frozenAt), 'quiet'],
            [t.by, ({ frozenBy }) => people(frozenBy) ?? frozenBy, 'quiet'],
            [
              t.told,
              ({ notices }) =>
                notices.length === 0 ? (
                  <Pill tone="warn">{t.nobody}</Pill>
                ) : (
                  <ul className="plain small">
                    {notices.map(({ told, reference, toldAt }, at) => (
                      <li key={at}>
                        {word('authority', told)} · {dateTime(toldAt)} · <code>{reference}</code>
                      </li>
                    ))}
                  </ul>
                ),
            ],
            [
              '',
              (freeze) =>
                freeze.liftedAt === null &&
                may('hits:decide') === 'YES' && (
                  <span className="row">
                    <Button
                      onClick={() => {
                        ask({ kind: 'TELL', freeze });
                      }}
                    >
                      {t.tell}
                    </Button>
                    <Button
                      look="danger"
                      onClick={() => {
                        ask({ kind: 'LIFT', freeze });
                      }}
                    >
                      {t.lift}
                    </Button>
                  </span>
                ),
            ],
          ]}
        />
      </section>
      {asking?.kind === 'TELL' && (
        <FormDialog
          title={t.tell}
          about={asking.freeze.id}
          action={t.tell}
          fields={[
            {
              name: 'told',
              label: t.whom,
              kind: 'choice',
              options: authorities.map((one) => [one, word('authority', one)]),
            },
            { name: 'reference', label: t.reference, kind: 'text' },
            { name: 'toldAt', label: t.toldAt, kind: 'moment', initial: localTimeOf(new Date(now())) },
          ]}
          onSend={async (filled) => {
            const told = authorities.find((one) => one === filled.text('told')) ?? 'OTHER';
            const toldAt = filled.moment('toldAt');
            const reference = filled.text('reference');
            await tell.mutateAsync({ id: asking.freeze.id, body: { told, reference, toldAt } });
            say(t.kept);
          }}
          onClose={close}
        >
          <p className="quiet">{t.tellHint}</p>
        </FormDialog>
      )}
      {asking?.kind === 'LIFT' && (
        <WritingDialog
          title={t.lift}
          about={asking.freeze.id}
          label={c.why}
          minimum={20}
          action={t.lift}
          danger
          onSend={async (reason) => {
            await lift.mutateAsync({ id: asking.freeze.id, reason });
            say(c.askedSecond);
          }}
          onClose={close}
        >
          <p className="quiet">{t.liftHint}</p>
        </WritingDialog>
      )}
    </div>
  );
}
