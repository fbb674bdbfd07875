import './case.css';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { download } from '../../api/client.js';
import {
  useAskForInfo,
  useAssign,
  useCase,
  useInfoArrived,
  useReopen,
  useWriteNote,
  type CaseFile,
} from '../../data/cases.js';
import { useMay } from '../../data/me.js';
import { useColleagues } from '../../data/people.js';
import { Asked } from '../../parts/answers.js';
import { useComplain } from '../../parts/complain.js';
import { Button, Pill } from '../../parts/controls.js';
import { CustomerName } from '../../parts/customer-name.js';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { useShortcuts } from '../../parts/shortcuts.js';
import { useTitle } from '../../parts/title.js';
import { say } from '../../parts/toasts.js';
import { WritingDialog } from '../../parts/dialogs/writing-dialog.js';
import { useLanguage, useTexts, localeOf } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { Due, Score } from '../cases/parts.js';
import { sequence } from '../cases/sequence.js';
import { Decide } from './decide.js';
import { whyOf } from './findings.js';
import { Looked } from './looked.js';
import { caseTexts } from './texts.js';
import { Who } from './who.js';

/** One case in three columns: who it is, what was looked at and what was not, and how it is to end. */
export function CaseScreen(): ReactElement {
  const t = useTexts(caseTexts);
  const { id = '' }: { id?: string } = useParams({ strict: false });
  useTitle(t.title);
  const file = useCase(id);
  return <Asked query={file}>{(data) => <Opened key={data.id} file={data} />}</Asked>;
}

function Opened({ file }: { file: CaseFile }): ReactElement {
  const t = useTexts(caseTexts);
  const language = useLanguage();
  const may = useMay();
  const colleagues = useColleagues();
  const complain = useComplain();
  const reopen = useReopen(file.id);
  const navigate = useNavigate();
  const assign = useAssign();
  const write = useWriteNote(file.id);
  const ask = useAskForInfo(file.id);
  const arrived = useInfoArrived(file.id);
  const [writing, setWriting] = useState<'NOTE' | 'ASK' | 'INFO' | 'REOPEN' | null>(null);
  const works = may('reviews:work') === 'YES';
  const closed = file.status === 'CLOSED';
  const open = !closed && file.status !== 'MERGED';
  const at = sequence.ids.indexOf(file.id);

  const go = (by: number): void => {
    const id = sequence.ids[at + by];
    if (at !== -1 && id !== undefined) void navigate({ to: '/cases/$id', params: { id } });
  };
  const dossier = (): void => {
    void download(
      `/operator/reviews/${file.id}/dossier.pdf?lang=${localeOf(language)}`,
      `${file.id}.pdf`,
    ).then(() => {
      say(t.dossierSaved);
    }, complain);
  };
  const take = (): void => {
    assign.mutate({ id: file.id, assigneeId: 'me' }, { onError: complain });
  };
  const close = (): void => {
    setWriting(null);
  };
  const firstHit = (file.hits.find(({ hit }) => hit.status === 'PENDING') ?? file.hits[0])?.hit;
  useShortcuts([
    {
      keys: ']',
      label: t.next,
      run: () => {
        go(1);
      },
    },
    {
      keys: '[',
      label: t.previous,
      run: () => {
        go(-1);
      },
    },
    { keys: 'D', label: t.dossier, footer: true, run: dossier },
    ...(firstHit
      ? [
          {
            keys: 'H',
            label: t.hitNext,
            footer: true,
            run: () =>
              void navigate({ to: '/hits/$id', params: { id: firstHit.id }, search: { case: file.id } }),
          },
        ]
      : []),
    ...(works && open
      ? [
          {
            keys: 'N',
            label: t.note,
            footer: true,
            run: () => {
              setWriting('NOTE');
            },
          },
          {
            keys: 'I',
            label: t.askInfo,
            run: () => {
              setWriting(file.status === 'AWAITING_INFO' ? 'INFO' : 'ASK');
            },
          },
          { keys: 'A', label: t.take, run: take },
        ]
      : []),
  ]);

  return (
    <div className="case">
      <header className="row">
        <Link to="/cases">← {t.back}</Link>
        <h1>
          <CustomerName id={file.customerId} />
        </h1>
        <Score value={file.riskScore} />
        <span className="quiet">{word('theme', file.theme)}</span>
        <Pill tone="info">{word('caseStatus', file.status)}</Pill>
        <Due row={file} />
        <span className="end row">
          {works && open ? (
            <select
              className="input slim"
              aria-label={t.assign}
              value={file.assigneeId ?? ''}
              onChange={({ target: { value } }) => {
                assign.mutate(
                  { id: file.id, assigneeId: value === '' ? null : value },
                  { onError: complain },
                );
              }}
            >
              <option value="">{t.nobody}</option>
              {colleagues
                .filter(({ id, worksOnCases }) => worksOnCases || id === file.assigneeId)
                .map(({ id, displayName }) => (
                  <option key={id} value={id}>
                    {displayName}
                  </option>
                ))}
            </select>
          ) : (
            <span className="quiet small">
              {t.owner}: {file.assigneeName ?? t.nobody}
            </span>
          )}
          {works && closed && (
            <Button
              onClick={() => {
                setWriting('REOPEN');
              }}
            >
              {t.reopen}
            </Button>
          )}
          {works && open && file.assigneeId === null && (
            <Button keys="A" onClick={take}>
              {t.take}
            </Button>
          )}
          {works && open && (
            <Button
              keys="N"
              onClick={() => {
                setWriting('NOTE');
              }}
            >
              {t.writeNote}
            </Button>
          )}
          {works && (file.status === 'OPEN' || file.status === 'IN_ANALYSIS') && (
            <Button
              keys="I"
              onClick={() => {
                setWriting('ASK');
              }}
            >
              {t.askInfo}
            </Button>
          )}
          {works && file.status === 'AWAITING_INFO' && (
            <Button
              look="main"
              keys="I"
              onClick={() => {
                setWriting('INFO');
              }}
            >
              {t.infoArrived}
            </Button>
          )}
          {may('customers:export') === 'YES' && (
            <Button keys="D" onClick={dossier}>
              {t.dossierPdf}
            </Button>
          )}
        </span>
      </header>
      <p className="why">{whyOf(file, language)}</p>
      <Who file={file} />
      <Looked file={file} />
      <Decide file={file} />
      {writing === 'NOTE' && (
        <FormDialog
          title={t.writeNote}
          action={t.save}
          fields={[
            { name: 'text', label: t.noteText, kind: 'long' },
            {
              name: 'file',
              label: t.noteFile,
              kind: 'file',
              optional: true,
              accept: 'image/jpeg,image/png,image/webp,application/pdf',
            },
          ]}
          onSend={(filled) =>
            write.mutateAsync({ text: filled.text('text'), file: filled.file('file') }).then(() => {
              say(t.noteSaved);
            })
          }
          onClose={close}
        />
      )}
      {writing === 'REOPEN' && (
        <WritingDialog
          title={t.reopen}
          label={t.noteText}
          action={t.reopen}
          onSend={(text) =>
            reopen.mutateAsync(text).then(({ id }) => {
              say(t.reopened);
              return navigate({ to: '/cases/$id', params: { id } });
            })
          }
          onClose={close}
        >
          <p className="quiet">{t.reopenHint}</p>
        </WritingDialog>
      )}
      {writing === 'ASK' && (
        <WritingDialog
          title={t.askInfo}
          label={t.askInfoText}
          action={t.askInfo}
          onSend={(text) =>
            ask.mutateAsync(text).then(() => {
              say(t.infoAsked);
            })
          }
          onClose={close}
        />
      )}
      {writing === 'INFO' && (
        <WritingDialog
          title={t.infoArrived}
          label={t.infoText}
          action={t.save}
          onSend={(text) =>
            arrived.mutateAsync(text).then(() => {
              say(t.infoSaved);
            })
          }
          onClose={close}
        />
      )}
    </div>
  );
}
