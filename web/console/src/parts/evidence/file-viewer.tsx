import { useEffect, useState, type ReactElement } from 'react';
import { download, fileOf } from '../../api/client.js';
import { useMay } from '../../data/me.js';
import { common } from '../../texts/common.js';
import { number, percent } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { Failure, Skeleton } from '../answers.js';
import { Button, Facts, Pill } from '../controls.js';
import { Dialog } from '../dialogs/dialog.js';
import { WritingDialog } from '../dialogs/writing-dialog.js';
import { useShortcuts } from '../shortcuts.js';
import { texts, type File } from './session-texts.js';

/** One picture, or the pages of a PDF as pictures: larger, smaller and turned, with what was measured. */
export function Viewer({ file, onClose }: { file: File; onClose: () => void }): ReactElement {
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
            about={file.id}
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
