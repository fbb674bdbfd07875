import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { evaluationIn, useCase, type CaseRow, type CaseTransaction } from '../../data/cases.js';
import { componentsOf } from '../../data/transactions.js';
import { Asked } from '../../parts/answers.js';
import { Button, Facts, Pill } from '../../parts/controls.js';
import { CustomerName } from '../../parts/customer-name.js';
import { Reasons, wasLooked } from '../../parts/evidence/looked.js';
import { money, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { Due, Score } from './parts.js';
import { casesTexts } from './texts.js';

/** Enough of a case to decide whether to open it. */
export function Preview({
  row,
  onTake,
  onOpen,
}: {
  row: CaseRow;
  onTake: () => void;
  onOpen: () => void;
}): ReactElement {
  const t = useTexts(casesTexts);
  const file = useCase(row.id);
  const others = row.counts.otherOpenCases;
  return (
    <div className="stack">
      <div className="row">
        <h2>{row.customerName ?? row.partyName ?? <CustomerName id={row.customerId} />}</h2>
        <Score value={row.riskScore} />
        <span className="quiet">{word('priority', row.priority)}</span>
        <Due row={row} />
      </div>
      <Facts
        items={[
          [t.why, `${word('theme', row.theme)} · ${word('caseKind', row.kind)}`],
          [t.state, word('caseStatus', row.status)],
          [t.owner, row.assigneeName ?? t.free],
          [t.opened, relative(row.openedAt)],
          [
            t.risk,
            file.data === undefined
              ? '…'
              : (file.data.customer?.riskLevel ?? null) === null
                ? '—'
                : word('risk', file.data.customer?.riskLevel ?? ''),
          ],
        ]}
      />
      {others > 0 && row.customerId !== null && (
        <Link to="/customers/$id" params={{ id: row.customerId }}>
          {t.otherCases(others)}
        </Link>
      )}
      <Asked query={file}>
        {({ transactions, hits }) => (
          <>
            {hits.map(({ hit, entry }) => (
              <p key={hit.id}>
                <Pill tone={hit.status === 'PENDING' ? 'bad' : 'plain'}>{word('hitStatus', hit.status)}</Pill>{' '}
                {entry?.names[0]} <span className="quiet">{hit.list}</span>
              </p>
            ))}
            {transactions.slice(0, 3).map(({ id, type, amount, currency, occurredAt }) => (
              <p key={id}>
                <strong>{money(amount, currency)}</strong> {word('transactionType', type)}{' '}
                <span className="quiet">{relative(occurredAt)}</span>
              </p>
            ))}
            {transactions[0] && <Looked one={transactions[0]} />}
          </>
        )}
      </Asked>
      <div className="row">
        <Button look="main" keys="Enter" onClick={onOpen}>
          {t.openIt}
        </Button>
        <Button keys="A" onClick={onTake}>
          {t.takeIt}
        </Button>
      </div>
    </div>
  );
}

function Looked({ one }: { one: CaseTransaction }): ReactElement | null {
  const t = useTexts(casesTexts);
  const evaluation = evaluationIn(one);
  if (evaluation === null) return null;
  const missing = componentsOf(evaluation).filter(([, { state }]) => !wasLooked(state));
  return (
    <>
      <h3>{t.reasons}</h3>
      <Reasons evaluation={evaluation} brief />
      {missing.length > 0 && (
        <>
          <h3>{t.notLooked}</h3>
          <p className="row">
            {missing.map(([name, { state }]) => (
              <Pill key={name} tone="warn">
                {word('component', name)}: {word('evidence', state)}
              </Pill>
            ))}
          </p>
        </>
      )}
    </>
  );
}
