import '../customers/customers.css';
import './transactions.css';
import { Link, useParams } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { useMay } from '../../data/me.js';
import {
  useReEvaluate,
  useTransaction,
  useTransactionTimeline,
  useVerifyReceipt,
  type TransactionFile,
} from '../../data/transactions.js';
import { Asked, Failure } from '../../parts/answers.js';
import { Button, Facts, Pill } from '../../parts/controls.js';
import { Components, NotEvaluated, Reasons } from '../../parts/evidence/looked.js';
import { gapWords } from '../../parts/evidence/reason-words.js';
import { Tabs } from '../../parts/lists/tabs.js';
import { useTitle } from '../../parts/title.js';
import { say } from '../../parts/toasts.js';
import { Trail } from '../../parts/evidence/trail.js';
import { dateTime, money } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { transactionsTexts } from './texts.js';
import { Outcome } from './transactions.js';

/** A transaction as it was sent, every evaluation of it, and the receipt that proves each. */
export function TransactionScreen(): ReactElement {
  const t = useTexts(transactionsTexts);
  const { id = '' }: { id?: string } = useParams({ strict: false });
  useTitle(t.title);
  const transaction = useTransaction(id);
  return <Asked query={transaction}>{(data) => <File key={data.id} file={data} />}</Asked>;
}

function File({ file }: { file: TransactionFile }): ReactElement {
  const t = useTexts(transactionsTexts);
  const may = useMay();
  const again = useReEvaluate(file.id);
  const timeline = useTransactionTimeline(file.id);
  return (
    <div className="file">
      <header className="row">
        <Link to="/transactions">← {t.back}</Link>
        <h1>{money(file.amount, file.currency)}</h1>
        <Outcome row={file} />
        {file.verdict !== null && <Pill tone="info">{t.verdict(word('verdict', file.verdict))}</Pill>}
        {file.defensible === false && <Pill tone="warn">{t.notDefensible}</Pill>}
        {may('kyt:evaluate') !== 'NO' && file.status === 'COMPLETED' && (
          <span className="end row">
            <span className="quiet small">{t.reEvaluateHint}</span>
            <Button
              disabled={may('kyt:evaluate') !== 'YES' || again.isPending}
              onClick={() => {
                again.mutate(undefined, {
                  onSuccess: ({ outcome }) => {
                    say(t.reEvaluated(word('outcome', outcome)));
                  },
                });
              }}
            >
              {t.reEvaluate}
            </Button>
          </span>
        )}
      </header>
      <div className="stack">
        <section className="card stack">
          <Facts
            items={[
              [t.type, word('transactionType', file.type)],
              [t.channel, word('channel', file.channel)],
              [
                t.direction,
                file.direction === null
                  ? '—'
                  : `${t.directions[file.direction]} (${word('directionSource', file.directionSource)})`,
              ],
              [t.occurred, dateTime(file.occurredAt)],
              [t.received, dateTime(file.receivedAt)],
              [t.number, <code key="number">{file.transactionId}</code>],
              [t.request, <code key="request">{file.requestId}</code>],
              ...(file.warnings.length > 0
                ? [[t.warnings, file.warnings.map((one) => word('warning', one)).join(', ')] as const]
                : []),
            ]}
          />
        </section>
        <section className="card stack">
          <h2>{t.submission}</h2>
          {file.submissionState === 'ERASED' && <p className="notice warn">{t.submissionErased}</p>}
          {file.submissionState === 'BROKEN' && <p className="notice bad">{t.submissionBroken}</p>}
          <pre className="raw" tabIndex={0}>
            {JSON.stringify(file.submission, null, 2)}
          </pre>
        </section>
      </div>
      <div className="stack">
        {again.error && <Failure error={again.error} />}
        <Evaluations file={file} />
        <section className="card stack">
          <h2>{t.timeline}</h2>
          <Asked query={timeline}>{({ trail, entries }) => <Trail status={trail} entries={entries} />}</Asked>
        </section>
      </div>
    </div>
  );
}

function Evaluations({ file }: { file: TransactionFile }): ReactElement {
  const t = useTexts(transactionsTexts);
  const versions = file.evaluations.map(({ version }) => String(version));
  const [shown, show] = useState<string | null>(null);
  const evaluation = file.evaluations.find(({ version }) => String(version) === shown) ?? file.evaluations[0];
  if (!evaluation) {
    return (
      <section className="card">
        <p className="notice warn">
          {file.failure === null ? t.notYet : t.failed(file.failure.code, file.failure.stage)}
        </p>
      </section>
    );
  }
  const names = Object.fromEntries(versions.map((version) => [version, t.evaluation(Number(version))]));
  return (
    <section className="card stack">
      <div className="row">
        <h2>{t.evaluation(evaluation.version)}</h2>
        <strong>{t.scored(evaluation.riskScore)}</strong>
        <Outcome row={{ outcome: evaluation.outcome, status: file.status }} />
      </div>
      {versions.length > 1 && (
        <Tabs
          label={t.composition}
          values={versions}
          value={String(evaluation.version)}
          names={names}
          onChange={show}
        />
      )}
      <p className="quiet">
        {t.evaluated(dateTime(evaluation.evaluatedAt), evaluation.ruleset ?? t.noRuleset)}
      </p>
      {evaluation.nonDefensibleReasons.length > 0 && (
        <div className="notice warn">
          <strong>{t.reasonsAgainst}</strong>
          <p className="row">
            {evaluation.nonDefensibleReasons.map((code) => (
              <span key={code}>{gapWords(code)}</span>
            ))}
          </p>
        </div>
      )}
      {evaluation.withoutInputs.length > 0 && (
        <p className="notice">
          {t.without(evaluation.withoutInputs.map((input) => word('input', input)).join(', '))}
        </p>
      )}
      <h3>{t.reasons}</h3>
      {evaluation.reasons.length === 0 ? (
        <p className="quiet">{t.noReasons}</p>
      ) : (
        <Reasons evaluation={evaluation} />
      )}
      <h3>{t.composition}</h3>
      <Components evaluation={evaluation} />
      <NotEvaluated evaluation={evaluation} />
      <Receipt key={evaluation.version} id={file.id} version={evaluation.version} />
    </section>
  );
}

function Receipt({ id, version }: { id: string; version: number }): ReactElement {
  const t = useTexts(transactionsTexts);
  const verify = useVerifyReceipt(id);
  const { data } = verify;
  const fits = data?.computed === data?.stated;
  return (
    <div className="stack">
      <h3>{t.receipt}</h3>
      <p className="quiet small">{t.receiptHint}</p>
      <div>
        <Button
          disabled={verify.isPending}
          onClick={() => {
            verify.mutate(version);
          }}
        >
          {t.verify}
        </Button>
      </div>
      {verify.error && <Failure error={verify.error} />}
      {data && (
        <>
          <p role="status">
            <Pill tone={fits ? 'good' : 'bad'}>{fits ? t.same : t.other}</Pill>
          </p>
          <Facts
            items={[
              [
                t.computed,
                <span key="computed" className="hash">
                  {data.computed}
                </span>,
              ],
              [
                t.stated,
                <span key="stated" className="hash">
                  {data.stated}
                </span>,
              ],
            ]}
          />
          <details>
            <summary>{t.showReceipt}</summary>
            <pre className="raw" tabIndex={0}>
              {JSON.stringify(data.receipt, null, 2)}
            </pre>
          </details>
        </>
      )}
    </div>
  );
}
