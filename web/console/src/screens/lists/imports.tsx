import { useState, type ReactElement } from 'react';
import { useMay } from '../../data/me.js';
import { Asked } from '../../parts/answers.js';
import { useComplain } from '../../parts/complain.js';
import { Button, Pill, type Tone } from '../../parts/controls.js';
import { Dialog } from '../../parts/dialogs/dialog.js';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { Table } from '../../parts/lists/table.js';
import { say } from '../../parts/toasts.js';
import { WritingDialog } from '../../parts/dialogs/writing-dialog.js';
import { common } from '../../texts/common.js';
import { dateTime, number, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { useImport, useImports, useJudgeImport, useUpload, type Import, type List } from './data.js';
import { listsTexts } from './texts.js';

const toneOf = (status: Import['status']): Tone =>
  status === 'PUBLISHED'
    ? 'good'
    : status === 'FAILED'
      ? 'bad'
      : status === 'AWAITING_CONFIRMATION'
        ? 'warn'
        : 'plain';

function Difference({ one }: { one: Import }): ReactElement {
  const t = useTexts(listsTexts);
  if (one.added === null) return <>{number(one.entries)}</>;
  return (
    <>
      {t.changes(number(one.added), number(one.changed ?? 0), number(one.removed ?? 0))}
      {one.linesBroken > 0 && (
        <>
          {' '}
          <Pill tone="warn">{t.broken(one.linesBroken)}</Pill>
        </>
      )}
    </>
  );
}

/** The files of a list, and what each changed. */
export function Imports({ list }: { list: List }): ReactElement {
  const t = useTexts(listsTexts);
  const may = useMay();
  const imports = useImports(list.id);
  const upload = useUpload(list.id);
  const [asking, ask] = useState(false);
  const [shown, show] = useState<string | null>(null);
  return (
    <section className="card stack">
      <div className="row">
        <h2>{t.imports}</h2>
        {may('lists:manage') === 'YES' && list.archivedAt === null && (
          <Button
            className="end"
            onClick={() => {
              ask(true);
            }}
          >
            {t.import}
          </Button>
        )}
      </div>
      <Table
        caption={t.imports}
        pages={imports}
        keyOf={({ id }) => id}
        empty={t.importsEmpty}
        columns={[
          [
            t.when,
            ({ createdAt }) => <span title={dateTime(createdAt)}>{relative(createdAt)}</span>,
            'quiet',
          ],
          [t.state, ({ status }) => <Pill tone={toneOf(status)}>{word('importStatus', status)}</Pill>],
          [t.difference, (one) => <Difference one={one} />],
          [
            '',
            ({ id }) => (
              <Button
                onClick={() => {
                  show(id);
                }}
              >
                {t.open}
              </Button>
            ),
          ],
        ]}
      />
      {asking && (
        <FormDialog
          title={t.import}
          action={t.import}
          fields={[
            { name: 'file', label: t.importFile, kind: 'file', hint: list.format },
            ...(list.format === 'OFAC_SDN_CSV'
              ? [{ name: 'aliases', label: t.importAliases, kind: 'file', optional: true } as const]
              : []),
            {
              name: 'look',
              label: t.importLook,
              kind: 'choice',
              options: [
                ['yes', t.importAlways],
                ['no', t.importShrink],
              ],
            },
          ]}
          onSend={async (filled) => {
            const file = filled.file('file');
            if (file === null) return;
            const sent = await upload.mutateAsync({
              file,
              aliases: filled.file('aliases'),
              look: filled.text('look') === 'yes',
            });
            say(t.importSent);
            setTimeout(() => {
              show(sent.id);
            });
          }}
          onClose={() => {
            ask(false);
          }}
        />
      )}
      {shown !== null && (
        <ImportDialog
          list={list}
          id={shown}
          onClose={() => {
            show(null);
          }}
        />
      )}
    </section>
  );
}

/** The places of a file that could not be read. */
function Unread({
  summary,
  places,
}: {
  summary: string;
  places: readonly { line: number; column: string | null; problem: string }[];
}): ReactElement | null {
  const t = useTexts(listsTexts);
  if (places.length === 0) return null;
  return (
    <details>
      <summary>{summary}</summary>
      <ul className="plain small">
        {places.map(({ line, column, problem }, i) => (
          <li key={i}>
            {t.line} {line}
            {column !== null && (
              <>
                , <code>{column}</code>
              </>
            )}
            : {problem}
          </li>
        ))}
      </ul>
    </details>
  );
}

function ImportDialog({ list, id, onClose }: { list: List; id: string; onClose: () => void }): ReactElement {
  const t = useTexts(listsTexts);
  const c = useTexts(common);
  const may = useMay();
  const one = useImport(list.id, id);
  const judge = useJudgeImport(list.id);
  const [asking, ask] = useState(false);
  const complain = useComplain();
  if (asking) {
    return (
      <WritingDialog
        title={t.confirm}
        about={id}
        label={c.why}
        minimum={10}
        action={t.confirm}
        onSend={async (reason) => {
          await judge.mutateAsync({ importId: id, confirm: true, reason });
          say(c.askedSecond);
        }}
        onClose={() => {
          ask(false);
        }}
      />
    );
  }
  return (
    <Dialog title={t.import} wide onClose={onClose}>
      <Asked query={one}>
        {(data) => (
          <div className="stack">
            <p className="row">
              <Pill tone={toneOf(data.status)}>{word('importStatus', data.status)}</Pill>
              {data.reason !== null && <code>{data.reason}</code>}
              <Difference one={data} />
            </p>
            {data.sha256 !== null && (
              <p className="small">
                {t.sha}: <code>{data.sha256}</code>
              </p>
            )}
            {data.round && (
              <p>{t.round(number(data.round.done), number(data.round.total), number(data.round.hits))}</p>
            )}
            {data.preview.length > 0 && (
              <details open={data.status === 'AWAITING_CONFIRMATION'}>
                <summary>
                  {t.preview}, {t.previewFirst(data.preview.length)}
                </summary>
                <ul className="plain small">
                  {data.preview.map(({ key, change, name }) => (
                    <li key={key}>
                      <Pill tone={change === 'REMOVED' ? 'bad' : change === 'ADDED' ? 'good' : 'info'}>
                        {word('entryChange', change)}
                      </Pill>{' '}
                      {name} <code className="quiet">{key}</code>
                    </li>
                  ))}
                </ul>
              </details>
            )}
            <Unread
              summary={data.reason === 'NOT_THIS_FORMAT' ? t.columnsMissing : t.broken(data.linesBroken)}
              places={data.broken}
            />
            <Unread
              summary={data.reason === 'NOT_THIS_FORMAT' ? t.columnsFound : t.dropped(data.fieldsDropped)}
              places={data.dropped}
            />
            <div className="row">
              {data.status === 'AWAITING_CONFIRMATION' && may('lists:manage') === 'YES' && (
                <>
                  <Button
                    look="main"
                    onClick={() => {
                      ask(true);
                    }}
                  >
                    {t.confirm}
                  </Button>
                  <Button
                    look="danger"
                    onClick={() => {
                      judge.mutate(
                        { importId: id, confirm: false, reason: '' },
                        {
                          onSuccess: () => {
                            say(t.rejected);
                          },
                          onError: complain,
                        },
                      );
                    }}
                  >
                    {t.reject}
                  </Button>
                </>
              )}
              <Button onClick={onClose}>{c.close}</Button>
            </div>
          </div>
        )}
      </Asked>
    </Dialog>
  );
}
