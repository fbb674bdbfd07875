import { acts } from 'virtual:acts';
import { Link } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { asProblem } from '../../api/problem.js';
import { useJudge, type Approval } from '../../data/approvals.js';
import { useMe } from '../../data/me.js';
import { usePeople } from '../../data/people.js';
import { Failure } from '../../parts/answers.js';
import { Button, Facts, Pill, type Tone } from '../../parts/controls.js';
import { WritingDialog } from '../../parts/dialogs/writing-dialog.js';
import { useShortcuts } from '../../parts/shortcuts.js';
import { say } from '../../parts/toasts.js';
import { common } from '../../texts/common.js';
import { dateTime, relative } from '../../texts/formats.js';
import { useLanguage, useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { Change, Summary } from './change.js';
import { approvalsTexts } from './texts.js';

const TONES: Readonly<Record<string, Tone>> = {
  REQUESTED: 'info',
  APPROVED: 'warn',
  APPLIED: 'good',
  REFUSED: 'bad',
  FAILED: 'bad',
};

export const StatusPill = ({ approval: { status } }: { approval: Approval }): ReactElement => (
  <Pill tone={TONES[status] ?? 'plain'}>{word('approvalStatus', status)}</Pill>
);

const SUBJECTS: Readonly<Record<string, string>> = {
  rev: '/cases/$id',
  cus: '/customers/$id',
  txn: '/transactions/$id',
  hit: '/hits/$id',
  com: '/coaf/$id',
};

/** One request: what changes, why, and what becomes of it. */
export function Request({ approval }: { approval: Approval }): ReactElement {
  const t = useTexts(approvalsTexts);
  const c = useTexts(common);
  const language = useLanguage();
  const people = usePeople();
  const { data: me } = useMe();
  const judge = useJudge();
  const [asking, setAsking] = useState<'REFUSE' | 'WITHDRAW' | null>(null);
  const waits = approval.status === 'REQUESTED';
  const own = approval.requestedBy === me?.id;
  // An act of a newer service has no words here yet.
  const { effect, undo } = acts[approval.act] ?? {};
  const subject = SUBJECTS[approval.subjectId.slice(0, 3)];

  const approve = (singleControl = false): void => {
    if (!waits || judge.isPending) return;
    judge.mutate(
      { approval, verdict: { kind: 'APPROVE', singleControl } },
      {
        onSuccess: () => {
          say(t.approved);
        },
      },
    );
  };
  const refuse = (): void => {
    setAsking(own ? 'WITHDRAW' : 'REFUSE');
  };
  useShortcuts(
    waits
      ? [
          ...(own
            ? []
            : [
                {
                  keys: 'Ctrl Enter',
                  label: t.approve,
                  footer: true,
                  run: () => {
                    approve();
                  },
                },
              ]),
          { keys: 'X', label: own ? t.withdraw : t.refuse, footer: true, run: refuse },
        ]
      : [],
  );
  const single =
    judge.error !== null && asProblem(judge.error).details.some(({ code }) => code === 'NOBODY_ELSE');

  return (
    <div className="stack">
      <div className="row">
        <h2>{word('act', approval.act)}</h2>
        <StatusPill approval={approval} />
        {approval.singleControl && <Pill tone="warn">{t.single}</Pill>}
      </div>
      <p className="quiet">
        {t.requested(people(approval.requestedBy) ?? '', relative(approval.requestedAt))}
        {waits && ` · ${t.expires(relative(approval.expiresAt))}`}
      </p>
      {approval.decidedBy !== null && approval.decidedAt !== null && (
        <p className="quiet">{t.decided(people(approval.decidedBy) ?? '', relative(approval.decidedAt))}</p>
      )}
      {approval.decisionReason !== null && (
        <blockquote className="quote">
          {approval.status === 'EXPIRED'
            ? t.expired
            : approval.status === 'FAILED'
              ? (c.failures[approval.decisionReason] ?? c.failed(approval.decisionReason))
              : approval.decisionReason}
        </blockquote>
      )}
      <h3>{t.reason}</h3>
      <blockquote className="quote">{reasonOf(approval, t.reasonInCase)}</blockquote>
      {approval.summary && <Summary of={approval.summary} />}
      <h3>{t.change}</h3>
      <Change approval={approval} />
      <Facts
        items={[
          [
            t.subject,
            <span key="subject" className="row">
              <code>{approval.subjectId}</code>
              {approval.act === 'ruleset.publish' && (
                <Link
                  to="/rulesets/$key/$version"
                  params={{ key: String(approval.after['key']), version: String(approval.after['version']) }}
                >
                  {t.openSubject}
                </Link>
              )}
              {subject !== undefined && (
                <Link to={subject} params={{ id: approval.subjectId }}>
                  {t.openSubject}
                </Link>
              )}
            </span>,
          ],
          [t.effect, effect?.[language] ?? approval.effect],
          [t.undo, undo?.[language] ?? approval.undo],
          ...(approval.effectiveAt === null
            ? []
            : [[t.change, <span key="when">{t.effective(dateTime(approval.effectiveAt))}</span>] as const]),
          [
            t.digest,
            <span key="digest">
              <code>{approval.digest.slice(0, 16)}…</code>
              <span className="quiet small"> {t.digestHint}</span>
            </span>,
          ],
        ]}
      />
      {judge.error && <Failure error={judge.error} />}
      {waits && (
        <div className="row">
          {own ? (
            <>
              <span className="quiet">{t.yours}</span>
              <Button keys="X" onClick={refuse}>
                {t.withdraw}
              </Button>
            </>
          ) : (
            <>
              <Button
                look="main"
                keys="Ctrl Enter"
                disabled={judge.isPending}
                onClick={() => {
                  approve();
                }}
              >
                {t.approve}
              </Button>
              <Button keys="X" onClick={refuse}>
                {t.refuse}
              </Button>
            </>
          )}
        </div>
      )}
      {waits && (own || single) && (
        <details>
          <summary className="small">{t.alone}</summary>
          <p className="quiet small">{t.aloneHint}</p>
          <Button
            onClick={() => {
              approve(true);
            }}
          >
            {t.alone}
          </Button>
        </details>
      )}
      {asking !== null && (
        <WritingDialog
          title={asking === 'REFUSE' ? t.refuse : t.withdraw}
          label={t.why}
          minimum={20}
          action={asking === 'REFUSE' ? t.refuse : t.withdraw}
          onSend={async (reason) => {
            await judge.mutateAsync({ approval, verdict: { kind: asking, reason } });
            say(asking === 'REFUSE' ? t.refused : t.withdrawn);
          }}
          onClose={() => {
            setAsking(null);
          }}
        />
      )}
    </div>
  );
}

/** The words of the requester; those about a case stand in the case, and come with the summary. */
const reasonOf = ({ act, reason, summary }: Approval, inCase: string): string =>
  summary?.justification ?? (act === 'case.close' ? inCase : reason);
