import { Link, useParams } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { download } from '../../api/client.js';
import { now } from '../../api/clock.js';
import { useMay } from '../../data/me.js';
import { usePeople } from '../../data/people.js';
import { Asked } from '../../parts/answers.js';
import { useComplain } from '../../parts/complain.js';
import { Button, Facts, Pill } from '../../parts/controls.js';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { useTitle } from '../../parts/title.js';
import { say } from '../../parts/toasts.js';
import { WritingDialog } from '../../parts/dialogs/writing-dialog.js';
import { common } from '../../texts/common.js';
import { localTimeOf } from '../../texts/days.js';
import { dateTime, money, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { StatusPill } from './coaf.js';
import { Editor } from './editor.js';
import { files, useCommunication, useContent, useDismissal, useFiling, type Detail } from './data.js';
import { coafTexts } from './texts.js';

/** One communication: what it says, what is missing, its files, and how it is filed. */
export function CommunicationScreen(): ReactElement {
  const t = useTexts(coafTexts);
  const { id = '' }: { id?: string } = useParams({ strict: false });
  useTitle(t.communication);
  const communication = useCommunication(id);
  const content = useContent(id);
  return (
    <Asked query={communication}>
      {(data) => (
        <div className="stack">
          <Head detail={data} />
          <div className="aside">
            <Asked query={content}>
              {(says) => <Editor key={`${says.id} ${says.revision}`} content={says} />}
            </Asked>
            <div className="stack">
              <Problems detail={data} />
              {data.filing && <Filed filing={data.filing} />}
              <Files id={data.id} />
              <Asked query={content} lines={2}>
                {({ edits }) => <Edits edits={edits} />}
              </Asked>
            </div>
          </div>
        </div>
      )}
    </Asked>
  );
}

function Head({ detail }: { detail: Detail }): ReactElement {
  const t = useTexts(coafTexts);
  const c = useTexts(common);
  const may = useMay();
  const filing = useFiling(detail.id);
  const dismissal = useDismissal(detail.id);
  const [asking, ask] = useState<'FILE' | 'DISMISS' | null>(null);
  const decides = may('reviews:decide') === 'YES';
  const close = (): void => {
    ask(null);
  };
  return (
    <>
      <header className="row">
        <Link to="/coaf">← {t.back}</Link>
        <h1>{word('communicationKind', detail.kind)}</h1>
        <StatusPill status={detail.status} />
        {detail.overdue ? (
          <Pill tone="bad">{t.overdue}</Pill>
        ) : (
          <Pill>{`${t.due} ${relative(detail.dueAt)}`}</Pill>
        )}
        {detail.amountBrl !== null && <strong>{money(detail.amountBrl, 'BRL')}</strong>}
        {decides && detail.status === 'DRAFT' && detail.approvalId === null && (
          <span className="end row">
            <Button
              look="danger"
              onClick={() => {
                ask('DISMISS');
              }}
            >
              {t.dismiss}
            </Button>
            <Button
              look="main"
              onClick={() => {
                ask('FILE');
              }}
            >
              {t.file}
            </Button>
          </span>
        )}
      </header>
      <p className="row">
        {detail.reviewId !== null && (
          <Link to="/cases/$id" params={{ id: detail.reviewId }}>
            {t.case}
          </Link>
        )}
        {detail.transactionRef !== null && (
          <Link to="/transactions/$id" params={{ id: detail.transactionRef }}>
            {t.transaction}
          </Link>
        )}
        {detail.customerId !== null && (
          <Link to="/customers/$id" params={{ id: detail.customerId }}>
            {t.customer}
          </Link>
        )}
      </p>
      {detail.status === 'DRAFT' && detail.approvalId !== null && (
        <p className="notice">
          <span>
            {t.awaits}{' '}
            <Link to="/approvals" search={{ id: detail.approvalId }}>
              {t.seeApproval}
            </Link>
          </span>
        </p>
      )}
      {asking === 'FILE' && (
        <FormDialog
          title={t.file}
          action={t.file}
          fields={[
            { name: 'filingNumber', label: t.filingNumber, kind: 'text' },
            { name: 'acknowledgement', label: t.acknowledgement, kind: 'text', optional: true },
            {
              name: 'receivedAt',
              label: t.receivedAt,
              kind: 'moment',
              initial: localTimeOf(new Date(now())),
            },
          ]}
          onSend={async (filled) => {
            await filing.mutateAsync({
              filingNumber: filled.text('filingNumber'),
              ...filled.given('acknowledgement'),
              receivedAt: filled.moment('receivedAt'),
            });
            say(c.askedSecond);
          }}
          onClose={close}
        >
          <p className="quiet">{t.fileHint}</p>
        </FormDialog>
      )}
      {asking === 'DISMISS' && (
        <WritingDialog
          title={t.dismiss}
          label={c.why}
          minimum={20}
          action={t.dismiss}
          danger
          onSend={async (reason) => {
            await dismissal.mutateAsync(reason);
            say(c.askedSecond);
          }}
          onClose={close}
        >
          <p className="quiet">{t.dismissHint}</p>
        </WritingDialog>
      )}
    </>
  );
}

function Problems({ detail: { problems, status } }: { detail: Detail }): ReactElement | null {
  const t = useTexts(coafTexts);
  if (status === 'FILED' || status === 'DISMISSED') return null;
  return (
    <section className="card stack">
      <h2>{t.problems}</h2>
      {problems.length === 0 ? (
        <p>
          <Pill tone="good">{t.noProblems}</Pill>
        </p>
      ) : (
        <ul className="plain small">
          {problems.map(({ field, code }, at) => (
            <li key={at}>
              <span title={field}>{word('siscoafField', field)}</span>{' '}
              <Pill tone="warn">{word('draftProblem', code)}</Pill>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Filed({ filing }: { filing: NonNullable<Detail['filing']> }): ReactElement {
  const t = useTexts(coafTexts);
  const people = usePeople();
  const named = (id: string | null): string => (id === null ? '—' : (people(id) ?? id));
  return (
    <section className="card stack">
      <h2>{t.filed}</h2>
      <Facts
        items={[
          [t.filingNumber, <code key="number">{filing.filingNumber}</code>],
          [t.acknowledgement, filing.acknowledgement ?? '—'],
          [t.receivedAt, filing.receivedAt === null ? '—' : dateTime(filing.receivedAt)],
          [t.recordedBy, named(filing.recordedBy)],
          [t.confirmedBy, named(filing.confirmedBy)],
          [t.contentHash, <code key="hash">{filing.contentHash.slice(0, 16)}…</code>],
        ]}
      />
    </section>
  );
}

function Files({ id }: { id: string }): ReactElement {
  const t = useTexts(coafTexts);
  const may = useMay();
  const complain = useComplain();
  if (may('customers:reveal') !== 'YES') return <p className="quiet small">{t.noFiles}</p>;
  return (
    <section className="card stack">
      <h2>{t.files}</h2>
      <p className="quiet small">{t.filesHint}</p>
      <div className="row">
        {files.map((file) => (
          <Button
            key={file}
            onClick={() => {
              download(`/operator/coaf/communications/${encodeURIComponent(id)}/files/${file}`, file).then(
                () => {
                  say(t.saved);
                },
                complain,
              );
            }}
          >
            {file}
          </Button>
        ))}
      </div>
    </section>
  );
}

function Edits({
  edits,
}: {
  edits: readonly {
    revision: number;
    editedBy: string;
    editedAt: string;
    fields: string[];
    reason: string;
  }[];
}): ReactElement {
  const t = useTexts(coafTexts);
  const people = usePeople();
  return (
    <section className="card stack">
      <h2>{t.edits}</h2>
      {edits.length === 0 && <p className="quiet">{t.noEdits}</p>}
      {edits.map(({ revision, editedBy, editedAt, fields, reason }) => (
        <div key={revision}>
          <p className="small quiet">
            {people(editedBy) ?? editedBy} · {dateTime(editedAt)} ·{' '}
            {fields.map((field) => word('communicationField', field)).join(', ')}
          </p>
          <blockquote className="quote">{reason}</blockquote>
        </div>
      ))}
    </section>
  );
}
