import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactElement } from 'react';
import { api, dataOf, download, fileOf, type Schemas } from '../../api/client.js';
import { useMay } from '../../data/me.js';
import { common } from '../../texts/common.js';
import { number, percent } from '../../texts/formats.js';
import { useTexts, type Catalogue } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { Asked, Failure, Skeleton } from '../answers.js';
import { Button, Facts, Pill } from '../controls.js';
import { Dialog } from '../dialogs/dialog.js';
import { WritingDialog } from '../dialogs/writing-dialog.js';
import { stateTone } from './looked.js';
import { useShortcuts } from '../shortcuts.js';

const pt = {
  checks: 'O que foi conferido',
  required: 'obrigatório',
  answers: 'Respostas',
  masked: 'encoberto',
  notAnswered: 'sem resposta',
  files: 'Arquivos',
  view: 'Ver',
  rejected: (count: number) => (count === 1 ? '1 arquivo recusado' : `${count} arquivos recusados`),
  erased: 'Os dados desta pessoa foram apagados.',
  file: 'Arquivo da sessão',
  bigger: 'Maior',
  smaller: 'Menor',
  rotate: 'Girar',
  sharpness: 'Nitidez',
  blurred: 'parece borrado',
  glare: 'Reflexo',
  brightness: 'Brilho',
  codes: 'Códigos lidos',
  page: (page: number, pages: number) => `Página ${page} de ${pages}`,
  previous: 'Página anterior',
  next: 'Próxima página',
  download: 'Baixar o original',
  downloadHint: 'O arquivo vem como foi enviado. O motivo fica no registro de auditoria.',
  noPermission: 'Ver arquivos pede o segundo fator e um papel que o permita.',
  kinds: { DOCUMENT: 'Documento', SELFIE: 'Selfie', PROOF_OF_ADDRESS: 'Comprovante', ATTACHMENT: 'Anexo' },
  sides: { FRONT: 'frente', BACK: 'verso' },
};
const en: typeof pt = {
  checks: 'What was checked',
  required: 'required',
  answers: 'Answers',
  masked: 'masked',
  notAnswered: 'not answered',
  files: 'Files',
  view: 'View',
  rejected: (count) => (count === 1 ? '1 file not taken' : `${count} files not taken`),
  erased: 'The data of this person were erased.',
  file: 'File of the session',
  bigger: 'Larger',
  smaller: 'Smaller',
  rotate: 'Rotate',
  sharpness: 'Sharpness',
  blurred: 'looks blurred',
  glare: 'Glare',
  brightness: 'Brightness',
  codes: 'Codes read',
  page: (page, pages) => `Page ${page} of ${pages}`,
  previous: 'Previous page',
  next: 'Next page',
  download: 'Download the original',
  downloadHint: 'The file comes as it was sent. The reason is kept in the audit log.',
  noPermission: 'Seeing files needs the second factor and a role that may.',
  kinds: {
    DOCUMENT: 'Document',
    SELFIE: 'Selfie',
    PROOF_OF_ADDRESS: 'Proof of address',
    ATTACHMENT: 'Attachment',
  },
  sides: { FRONT: 'front', BACK: 'back' },
};
const texts: Catalogue<typeof pt> = { pt, en };

type File = Schemas['EvidenceFileView'];

/** Shows what a person answered and sent in a verification session, and what the checks found or could not. */
export function SessionEvidence({ reference }: { reference: string }): ReactElement {
  const t = useTexts(texts);
  const [shown, show] = useState<File | null>(null);
  const evidence = useQuery({
    queryKey: ['session', reference, 'evidence'],
    queryFn: () =>
      dataOf(api.GET('/operator/kyc-sessions/{id}/evidence', { params: { path: { id: reference } } })),
  });
  return (
    <Asked query={evidence}>
      {({ status, erased, checks, steps }) => (
        <div className="stack">
          <p>
            <Pill>{word('sessionStatus', status)}</Pill>
          </p>
          {erased && <p className="notice warn">{t.erased}</p>}
          {checks.length > 0 && <h3>{t.checks}</h3>}
          <table className="components">
            <tbody>
              {checks.map(({ name, state, reason, required, source }) => (
                <tr key={name}>
                  <th scope="row">{word('component', name)}</th>
                  <td>
                    <Pill tone={stateTone(state)}>{word('evidence', state)}</Pill>{' '}
                    {required && <Pill>{t.required}</Pill>}
                  </td>
                  <td className="quiet small">{[reason, source].filter(Boolean).join(' · ')}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {steps.map(({ stepId, title, answers, files, rejected }) => (
            <div key={stepId} className="stack">
              <h3>{title}</h3>
              {answers.length > 0 && (
                <Facts
                  items={answers.map(({ label, text, masked }) => [
                    label,
                    text === null ? (
                      <span className="quiet">{t.notAnswered}</span>
                    ) : (
                      <>
                        {text} {masked && <Pill>{t.masked}</Pill>}
                      </>
                    ),
                  ])}
                />
              )}
              <div className="row">
                {files.map((file) => (
                  <Button
                    key={file.id}
                    onClick={() => {
                      show(file);
                    }}
                  >
                    {t.kinds[file.kind]}
                    {file.side !== null && `, ${t.sides[file.side]}`}
                    {file.quality !== null && file.quality.sharpness < 100 && (
                      <Pill tone="warn">{t.blurred}</Pill>
                    )}
                  </Button>
                ))}
                {rejected.length > 0 && <Pill tone="warn">{t.rejected(rejected.length)}</Pill>}
              </div>
            </div>
          ))}
          {shown && (
            <Viewer
              file={shown}
              onClose={() => {
                show(null);
              }}
            />
          )}
        </div>
      )}
    </Asked>
  );
}

/** One picture, or the pages of a PDF as pictures: larger, smaller and turned, with what was measured. */
function Viewer({ file, onClose }: { file: File; onClose: () => void }): ReactElement {
  const t = useTexts(texts);
  const c = useTexts(common);
  const may = useMay();
  const [zoom, setZoom] = useState(1);
  const [turn, setTurn] = useState(0);
  const [page, setPage] = useState(1);
  const [asksForOriginal, askForOriginal] = useState(false);
  const mayRead = may('artifacts:read') === 'YES';
  const pages = file.pages ?? 1;
  const { url, error } = usePicture(file.id, page, mayRead);
  const larger = (): void => {
    setZoom((now) => Math.min(4, now * 1.25));
  };
  const smaller = (): void => {
    setZoom((now) => Math.max(0.25, now / 1.25));
  };
  const rotate = (): void => {
    setTurn((now) => (now + 90) % 360);
  };
  useShortcuts([
    { keys: 'Ctrl +', label: t.bigger, run: larger },
    { keys: 'Ctrl -', label: t.smaller, run: smaller },
  ]);
  return (
    <Dialog
      title={`${t.kinds[file.kind]}${file.side === null ? '' : `, ${t.sides[file.side]}`}`}
      wide
      onClose={onClose}
    >
      <section>
        <div className="row">
          <Button onClick={larger}>{t.bigger}</Button>
          <Button onClick={smaller}>{t.smaller}</Button>
          <Button onClick={rotate}>{t.rotate}</Button>
          {pages > 1 && (
            <>
              <Button
                disabled={page === 1}
                onClick={() => {
                  setPage(page - 1);
                }}
              >
                {t.previous}
              </Button>
              <span role="status">{t.page(page, pages)}</span>
              <Button
                disabled={page === pages}
                onClick={() => {
                  setPage(page + 1);
                }}
              >
                {t.next}
              </Button>
            </>
          )}
          {mayRead && (
            <Button
              onClick={() => {
                askForOriginal(true);
              }}
            >
              {t.download}
            </Button>
          )}
          <Button className="end" onClick={onClose}>
            {c.close}
          </Button>
        </div>
        {!mayRead && <p className="notice warn">{t.noPermission}</p>}
        {error !== null && <Failure error={error} />}
        {url === null && error === null && mayRead && <Skeleton />}
        {url !== null && (
          <div className="picture">
            <img
              src={url}
              alt={t.file}
              style={{ width: `${zoom * 100}%`, transform: `rotate(${turn}deg)` }}
            />
          </div>
        )}
        {file.quality !== null && (
          <Facts
            items={[
              [
                t.sharpness,
                <span key="sharpness">
                  {number(Math.round(file.quality.sharpness))}{' '}
                  {file.quality.sharpness < 100 && <Pill tone="warn">{t.blurred}</Pill>}
                </span>,
              ],
              [t.glare, percent(file.quality.glare)],
              [t.brightness, number(Math.round(file.quality.brightness))],
              [t.codes, file.codes.length === 0 ? c.none : file.codes.map(({ format }) => format).join(', ')],
            ]}
          />
        )}
        {asksForOriginal && (
          <WritingDialog
            title={t.download}
            label={c.why}
            minimum={20}
            action={t.download}
            onSend={(reason) =>
              download(`/operator/artifacts/${encodeURIComponent(file.id)}/original`, nameOf(file), {
                reason,
              })
            }
            onClose={() => {
              askForOriginal(false);
            }}
          >
            <p className="quiet">{t.downloadHint}</p>
          </WritingDialog>
        )}
      </section>
    </Dialog>
  );
}

/** Made of the id and the type: `art_….pdf`. */
const nameOf = ({ id, mimeType }: File): string => `${id}.${mimeType.replace(/^.*\//, '')}`;

/** A picture that the service made anew, without what the camera wrote into it; gone from memory with the viewer. */
function usePicture(id: string, page: number, enabled: boolean): { url: string | null; error: unknown } {
  const [url, setUrl] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    if (!enabled) return;
    let made: string | null = null;
    let gone = false;
    setUrl(null);
    setError(null);
    fileOf(`/operator/artifacts/${encodeURIComponent(id)}/content?page=${page}`).then(
      (blob) => {
        if (gone) return;
        made = URL.createObjectURL(blob);
        setUrl(made);
      },
      (failure: unknown) => {
        if (!gone) setError(failure);
      },
    );
    return () => {
      gone = true;
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [id, page, enabled]);
  return { url, error };
}
