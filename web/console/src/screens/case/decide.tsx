import { Link } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { isWorkedOn, useUnmerge, type CaseFile } from '../../data/cases.js';
import { useMay } from '../../data/me.js';
import { usePeople } from '../../data/people.js';
import { Button, Pill } from '../../parts/controls.js';
import { WritingDialog } from '../../parts/dialogs/writing-dialog.js';
import { say } from '../../parts/toasts.js';
import { common } from '../../texts/common.js';
import { relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { caseTexts } from './texts.js';
import { Proposal } from './proposal.js';

/** How the case is to end: proposed by one person, approved by another. */
export function Decide({ file }: { file: CaseFile }): ReactElement {
  const t = useTexts(caseTexts);
  if (isWorkedOn(file)) return <Proposal file={file} />;
  return (
    <section className="card stack" aria-label={t.decide}>
      <h2>{t.decide}</h2>
      {file.mergedInto !== null ? <Merged file={file} into={file.mergedInto} /> : <Decided file={file} />}
    </section>
  );
}

function Decided({ file }: { file: CaseFile }): ReactElement {
  const t = useTexts(caseTexts);
  const people = usePeople();
  const closed = file.status === 'CLOSED';
  return (
    <div className="stack">
      <p>
        <strong>{closed ? t.closed : t.pending}</strong>
      </p>
      <p className="row">
        {file.resolution !== null && <Pill tone="info">{word('resolution', file.resolution)}</Pill>}
        {file.reportDecision !== null && <Pill>{word('report', file.reportDecision)}</Pill>}
        {file.singleControl && <Pill tone="warn">{t.single}</Pill>}
      </p>
      {file.proposedBy !== null && file.proposedAt !== null && (
        <p>{t.pendingBy(people(file.proposedBy) ?? '', relative(file.proposedAt))}</p>
      )}
      {file.closedBy !== null && file.closedAt !== null && (
        <p>{t.closedBy(people(file.closedBy) ?? '', relative(file.closedAt))}</p>
      )}
      {file.justification !== null && <blockquote className="quote">{file.justification}</blockquote>}
      {!closed && file.approvalId !== null && (
        <Link className="button main" to="/approvals" search={{ id: file.approvalId }}>
          {t.openApproval}
        </Link>
      )}
      {!closed && <p className="quiet small">{t.secondHint}</p>}
    </div>
  );
}

/** A case that went into another one is decided there; what it brought can come back. */
function Merged({ file, into }: { file: CaseFile; into: string }): ReactElement {
  const t = useTexts(caseTexts);
  const c = useTexts(common);
  const may = useMay();
  const unmerge = useUnmerge(file.id);
  const [asking, ask] = useState(false);
  return (
    <div className="stack">
      <p>
        <strong>{t.partOf}</strong>
      </p>
      <div className="row">
        <Link className="button" to="/cases/$id" params={{ id: into }}>
          {t.openWhole}
        </Link>
        {may('reviews:work') === 'YES' && (
          <Button
            onClick={() => {
              ask(true);
            }}
          >
            {t.unmerge}
          </Button>
        )}
      </div>
      {asking && (
        <WritingDialog
          title={t.unmerge}
          label={c.why}
          minimum={20}
          action={t.unmerge}
          onSend={async (reason) => {
            await unmerge.mutateAsync(reason);
            say(t.unmerged);
          }}
          onClose={() => {
            ask(false);
          }}
        >
          <p className="quiet">{t.unmergeHint}</p>
        </WritingDialog>
      )}
    </div>
  );
}
