import { useState, type ReactElement } from 'react';
import { useDisposeMany, useEqualHits, type Hit } from '../../data/hits.js';
import { Failure } from '../../parts/answers.js';
import { Button, Choice } from '../../parts/controls.js';
import { BulkDialog } from '../../parts/dialogs/bulk-dialog.js';
import { percent } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { hitTexts } from './texts.js';

/** Other people who hit the same entry: the same disposition is proposed for all of them that are left marked. */
export function EqualHits({ hit }: { hit: Hit }): ReactElement | null {
  const t = useTexts(hitTexts);
  const [asking, ask] = useState(false);
  const equal = useEqualHits(hit, true);
  if (equal.error) return <Failure error={equal.error} retry={() => void equal.refetch()} />;
  if (equal.data === undefined || equal.data.length === 0) return null;
  return (
    <div className="row">
      <span>{t.equalHits(equal.data.length)}</span>
      <Button
        onClick={() => {
          ask(true);
        }}
      >
        {t.proposeEqual}
      </Button>
      {asking && (
        <Together
          hits={[hit, ...equal.data]}
          onClose={() => {
            ask(false);
          }}
        />
      )}
    </div>
  );
}

function Together({ hits, onClose }: { hits: readonly Hit[]; onClose: () => void }): ReactElement {
  const t = useTexts(hitTexts);
  const dispose = useDisposeMany();
  const [disposition, setDisposition] = useState<'DISMISSED_FALSE_POSITIVE' | 'CONFIRMED'>(
    'DISMISSED_FALSE_POSITIVE',
  );
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const chosen = hits.map(({ id }) => id).filter((id) => !left.has(id));
  const nameOf = (id: string): string => hits.find((one) => one.id === id)?.asked ?? id;
  return (
    <BulkDialog
      title={t.proposeEqual}
      hint={t.proposeEqualHint}
      about={[disposition, ...chosen].join()}
      ids={hits.map(({ id }) => id)}
      nameOf={nameOf}
      run={(justification, preview) =>
        dispose.mutateAsync({ hitIds: chosen, disposition, justification, preview })
      }
      onDone={onClose}
      onClose={onClose}
    >
      <Choice
        label={t.title}
        value={disposition}
        options={[
          ['DISMISSED_FALSE_POSITIVE', t.notSame],
          ['CONFIRMED', t.same],
        ]}
        onChange={setDisposition}
      />
      <fieldset className="checks">
        <legend>{t.asked}</legend>
        {hits.map(({ id, asked, role, score }) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={!left.has(id)}
              onChange={() => {
                const next = new Set(left);
                if (!next.delete(id)) next.add(id);
                setLeft(next);
              }}
            />{' '}
            {asked ?? t.erased}{' '}
            <span className="quiet small">
              {word('party', role)} · {percent(score)}
            </span>
          </label>
        ))}
      </fieldset>
    </BulkDialog>
  );
}
