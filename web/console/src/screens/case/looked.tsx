import { Link } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { fileOf } from '../../api/client.js';
import { evaluationIn, isWorkedOn, type CaseFile, type CaseTransaction } from '../../data/cases.js';
import { useMay } from '../../data/me.js';
import { useComplain } from '../../parts/complain.js';
import { Button, Pill } from '../../parts/controls.js';
import { Components, NotEvaluated, Reasons } from '../../parts/evidence/looked.js';
import { gapWords } from '../../parts/evidence/reason-words.js';
import { Trail } from '../../parts/evidence/trail.js';
import { part } from '../../parts/part.js';
import { apart, dateTime, money, percent, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { gravestFirst } from './findings.js';
import { OtherCases } from './others.js';
import { Sum } from './sum.js';
import { caseTexts } from './texts.js';

// Most cases are about no session, and nothing is added to most.
const Evidence = part(
  () => import('../../parts/evidence/session-evidence.js').then((one) => one.Evidence),
  6,
);
const WhatIf = part(() => import('./what-if.js').then((one) => one.WhatIf), 1);
const Belongs = part(() => import('./belongs.js').then((one) => one.Belongs), 1);

/** Shows what the case is about: every part that was looked at, and every one that was not. */
export function Looked({ file }: { file: CaseFile }): ReactElement {
  const t = useTexts(caseTexts);
  const may = useMay();
  const [chosen, choose] = useState<string | null>(null);
  const payments = gravestFirst(file.transactions);
  const transaction = payments.find(({ id }) => id === chosen) ?? payments[0];
  return (
    <section className="card stack" aria-label={t.looked}>
      <h2>{t.looked}</h2>
      {file.hits.length > 0 && (
        <div className="block">
          <h3>{t.hits}</h3>
          <ul className="plain">
            {file.hits.map(({ hit, entry }) => (
              <li key={hit.id} className="row">
                <Pill tone={hit.status === 'PENDING' ? 'bad' : 'plain'}>{word('hitStatus', hit.status)}</Pill>
                <span>
                  <strong>{entry?.names[0] ?? hit.found ?? hit.entryKey}</strong>{' '}
                  <span className="quiet">
                    {hit.list} · {word('listKind', hit.listKind)} · {percent(hit.score)}
                  </span>
                </span>
                {hit.mandatory && hit.status === 'PENDING' && <Pill tone="warn">{t.mandatory}</Pill>}
                <Link className="end" to="/hits/$id" params={{ id: hit.id }} search={{ case: file.id }}>
                  {t.hitOpen}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      {payments.length > 0 && (
        <div className="block">
          <h3>{t.transactions}</h3>
          {payments.map((one) => (
            <button
              key={one.id}
              type="button"
              className="chosen"
              aria-pressed={one.id === transaction?.id}
              onClick={() => {
                choose(one.id);
              }}
            >
              <span>
                <strong>{money(one.amount, one.currency)}</strong> {word('transactionType', one.type)}
                {one.related && <span className="quiet"> · {t.related}</span>}
              </span>
              <Pill tone={one.defensible === false ? 'warn' : 'plain'}>
                {one.defensible === false ? t.notDefensible : t.defensible}
              </Pill>
              <strong>{one.riskScore ?? '—'}</strong>
              <span className="quiet small">{dateTime(one.occurredAt)}</span>
            </button>
          ))}
          {transaction && may('kyt:read') === 'YES' && <Evaluated key={transaction.id} one={transaction} />}
        </div>
      )}
      {file.sessions.length > 0 && (
        <div className="block">
          <h3>{t.sessionEvidence}</h3>
          {file.sessions.map((one) => (
            <details key={one.reference} open={one.reference === file.session}>
              <summary>
                {t.sessionOf(one.steps.map(({ title }) => apart(title)).join(', '))}{' '}
                <Pill>{word('sessionStatus', one.status)}</Pill>
              </summary>
              <Evidence evidence={one} />
            </details>
          ))}
        </div>
      )}
      {(file.people.length > 0 || (may('reviews:work') === 'YES' && isWorkedOn(file))) && (
        <Belongs file={file} />
      )}
      <Notes file={file} />
      <OtherCases file={file} />
      {file.approvals.length > 0 && (
        <div className="block">
          <h3>{t.requests}</h3>
          <ul className="plain">
            {file.approvals.map((one) => (
              <li key={one.id} className="row">
                <Link to="/approvals" search={{ id: one.id }}>
                  {word('act', one.act)}
                </Link>
                <Pill>{word('approvalStatus', one.status)}</Pill>
                <span className="quiet small">
                  {one.requestedByName ?? `…${one.requestedBy.slice(-6)}`}, {relative(one.requestedAt)}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="block">
        <h3>{t.timeline}</h3>
        <Trail
          status={file.trailStatus}
          entries={file.timeline.map((one) => ({ ...one, actor: one.actorName ?? one.actor }))}
        />
      </div>
    </section>
  );
}

function Evaluated({ one }: { one: CaseTransaction }): ReactElement {
  const t = useTexts(caseTexts);
  const may = useMay();
  const evaluation = evaluationIn(one);
  if (evaluation === null || one.lookedAt === null) return <p className="notice warn">{t.noEvaluation}</p>;
  const { composition, receiptHash, nonDefensibleReasons } = one.lookedAt;
  return (
    <>
      <p className="row">
        {one.outcome !== null && <Pill tone="info">{word('outcome', one.outcome)}</Pill>}
        <Pill tone={composition === 'COMPLETE' ? 'good' : 'warn'}>{word('composition', composition)}</Pill>
        <Link to="/transactions/$id" params={{ id: one.id }}>
          <code>{receiptHash.slice(0, 12)}</code>
        </Link>
        <span className="quiet small">
          {[one.origin, one.destination].map((party) => partyText(party) ?? t.notKnown).join(' → ')}
        </span>
      </p>
      {nonDefensibleReasons.length > 0 && (
        <p className="small">
          {t.notDefensible}: {nonDefensibleReasons.map(gapWords).join(' · ')}
        </p>
      )}
      <h3>{t.reasons}</h3>
      {evaluation.reasons.length === 0 ? (
        <p className="quiet">{t.noReasons}</p>
      ) : (
        <Reasons evaluation={evaluation} />
      )}
      <h3>{t.composition}</h3>
      <Sum one={one} evaluation={evaluation} />
      <Components evaluation={evaluation} />
      <NotEvaluated evaluation={evaluation} />
      {may('kyt:evaluate') === 'YES' && <WhatIf id={one.id} evaluation={evaluation} />}
    </>
  );
}

function partyText(party: CaseTransaction['origin']): string | null {
  const who = party?.name ?? party?.documentMasked ?? party?.account;
  const parts = [who && apart(who), party?.country];
  const behind = (party?.people ?? [])
    .map(({ name, role }) => `${apart(name)}, ${word('party', role)}`)
    .join('; ');
  return [parts.filter(Boolean).join(', '), behind && `(${behind})`].filter(Boolean).join(' ') || null;
}

function Notes({ file }: { file: CaseFile }): ReactElement {
  const t = useTexts(caseTexts);
  const may = useMay();
  const complain = useComplain();
  const look = (id: string): void => {
    // In a tab of its own, from memory: the file has no address that anybody could open.
    fileOf(`/operator/artifacts/${id}/content`).then((blob) => {
      window.open(URL.createObjectURL(blob), '_blank', 'noopener');
    }, complain);
  };
  return (
    <div className="block">
      <h3>{t.notes}</h3>
      {file.notes.length === 0 && <p className="quiet">{t.noNotes}</p>}
      <ul className="notes">
        {file.notes.map((note) => (
          <li key={note.id}>
            <span className="quiet small">
              {note.authorName ?? `…${note.authorId.slice(-6)}`} ·{' '}
              <span title={dateTime(note.writtenAt)}>{relative(note.writtenAt)}</span>{' '}
              {note.kind !== 'NOTE' && <Pill>{word('note', note.kind)}</Pill>}
            </span>
            <p>{note.text ?? <span className="quiet">{t.erasedNote}</span>}</p>
            {note.artifactIds.map((id, at) => (
              <Button
                key={id}
                look="bare"
                disabled={may('artifacts:read') !== 'YES'}
                onClick={() => {
                  look(id);
                }}
              >
                {t.file(at + 1)}
              </Button>
            ))}
          </li>
        ))}
      </ul>
    </div>
  );
}
