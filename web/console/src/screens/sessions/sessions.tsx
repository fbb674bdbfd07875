import { Link } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { useFlows } from '../flows/data.js';
import { useMay } from '../../data/me.js';
import { Button, Pill, type Tone } from '../../parts/controls.js';
import { CustomerName } from '../../parts/customer-name.js';
import { Dialog } from '../../parts/dialogs/dialog.js';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { useShortcuts } from '../../parts/shortcuts.js';
import { Table } from '../../parts/lists/table.js';
import { Tabs } from '../../parts/lists/tabs.js';
import { useTitle } from '../../parts/title.js';
import { relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { statuses, useNewSession, useSessions, type Issued, type Session } from './data.js';
import { SessionLink } from './link.js';
import { sessionsTexts } from './texts.js';

const VIEWS = ['ALL', ...statuses] as const;

/** Sessions by where they stand, and the making of a link. */
export function SessionsScreen(): ReactElement {
  const t = useTexts(sessionsTexts);
  useTitle(t.title);
  const may = useMay();
  const flows = useFlows();
  const [view, show] = useState<(typeof VIEWS)[number]>('ALL');
  const [flowKey, setFlow] = useState('');
  const [making, setMaking] = useState(false);
  const [issued, setIssued] = useState<Issued | null>(null);
  const makes = may('sessions:create') === 'YES';
  const sessions = useSessions({
    ...(view !== 'ALL' && { status: view }),
    ...(flowKey !== '' && { flowKey }),
  });
  const begin = (): void => {
    setMaking(true);
  };
  useShortcuts(makes ? [{ keys: 'N', label: t.new, footer: true, run: begin }] : []);
  return (
    <div className="stack">
      <header className="row">
        <h1>{t.title}</h1>
        {makes && (
          <Button look="main" className="end" keys="N" onClick={begin}>
            {t.new}
          </Button>
        )}
      </header>
      <section className="card stack">
        <div className="row">
          <Tabs label={t.state} values={VIEWS} value={view} names={t.views} onChange={show} />
          <select
            className="input slim end"
            aria-label={t.flow}
            value={flowKey}
            onChange={(event) => {
              setFlow(event.target.value);
            }}
          >
            <option value="">{t.anyFlow}</option>
            {flows.items?.map(({ key }) => (
              <option key={key}>{key}</option>
            ))}
          </select>
        </div>
        <Table
          caption={t.list}
          pages={sessions}
          keyOf={({ reference }) => reference}
          empty={t.empty}
          columns={[
            [
              t.flow,
              ({ reference, flowName, flowVersion }) => (
                <>
                  <Link to="/sessions/$id" params={{ id: reference }}>
                    {flowName}
                  </Link>{' '}
                  <span className="quiet small">v{flowVersion}</span>
                </>
              ),
            ],
            [t.customer, ({ customerId }) => <CustomerName id={customerId} />],
            [t.state, (session) => <SessionState session={session} />],
            [
              t.outcome,
              ({ result }) =>
                result === null ? (
                  <span className="quiet">—</span>
                ) : (
                  <Pill tone={outcomeTone(result.outcome)}>{word('outcome', result.outcome)}</Pill>
                ),
            ],
            [t.by, ({ trigger }) => word('sessionTrigger', trigger), 'quiet'],
            [t.made, ({ createdAt }) => relative(createdAt), 'quiet'],
            [
              t.expires,
              ({ status, expiresAt }) => (status === 'PENDING' ? relative(expiresAt) : '—'),
              'quiet',
            ],
          ]}
        />
      </section>
      {making && (
        <NewLink
          flows={flows.items?.map(({ key }) => key) ?? []}
          onIssued={setIssued}
          onClose={() => {
            setMaking(false);
          }}
        />
      )}
      {issued && !making && (
        <Dialog
          title={t.link}
          onClose={() => {
            setIssued(null);
          }}
        >
          <section>
            <SessionLink url={issued.url} />
            <Link to="/sessions/$id" params={{ id: issued.reference }}>
              {t.progress}
            </Link>
          </section>
        </Dialog>
      )}
    </div>
  );
}

export const outcomeTone = (outcome: string): Tone =>
  outcome === 'APPROVED' ? 'good' : outcome === 'REJECTED' ? 'bad' : 'warn';

const TONES: Readonly<Record<Session['status'], Tone>> = {
  PENDING: 'info',
  PROCESSING: 'warn',
  COMPLETED: 'good',
  EXPIRED: 'plain',
};

export const SessionState = ({ session }: { session: Session }): ReactElement => (
  <>
    <Pill tone={TONES[session.status]}>{word('sessionStatus', session.status)}</Pill>
    {session.status === 'EXPIRED' && session.statusReason !== null && (
      <span className="quiet small"> {word('sessionReason', session.statusReason)}</span>
    )}
  </>
);

function NewLink({
  flows,
  onIssued,
  onClose,
}: {
  flows: readonly string[];
  onIssued: (issued: Issued) => void;
  onClose: () => void;
}): ReactElement {
  const t = useTexts(sessionsTexts);
  const make = useNewSession();
  return (
    <FormDialog
      title={t.new}
      action={t.make}
      fields={[
        { name: 'flowKey', label: t.flow, kind: 'choice', options: flows.map((key) => [key, key]) },
        { name: 'customer', label: t.customerId, kind: 'text', optional: true, hint: t.customerHint },
        { name: 'minutes', label: t.minutes, kind: 'number', optional: true, hint: t.minutesHint },
      ]}
      onSend={async (filled) => {
        const customer = filled.text('customer');
        const expiresInMinutes = filled.number('minutes').minutes;
        onIssued(
          await make.mutateAsync({
            flowKey: filled.text('flowKey'),
            ...(customer !== '' &&
              (customer.startsWith('cus_') ? { customerId: customer } : { externalCustomerId: customer })),
            ...(expiresInMinutes !== undefined && { expiresInMinutes }),
          }),
        );
      }}
      onClose={onClose}
    />
  );
}
