import type { ReactElement } from 'react';
import { Dialog } from '../parts/dialogs/dialog.js';
import { setSingleKeys, useAllShortcuts, useSingleKeys } from '../parts/shortcuts.js';
import { useTexts } from '../texts/language.js';
import { shellTexts } from './texts.js';

/** Every key that does something on the screen of now. */
export function KeysDialog({ onClose }: { onClose: () => void }): ReactElement {
  const t = useTexts(shellTexts);
  const [everywhere = [], ...here] = useAllShortcuts();
  const on = useSingleKeys();
  return (
    <Dialog title={t.keys} onClose={onClose}>
      <section>
        {[
          { title: t.here, keys: here.flat() },
          { title: t.everywhere, keys: everywhere },
        ].map(({ title, keys }) =>
          keys.length === 0 ? null : (
            <div key={title} className="stack">
              <h3>{title}</h3>
              <ul className="keys">
                {keys.map(({ keys: combination, label }) => (
                  <li key={combination}>
                    <span>{label}</span>
                    <kbd>{combination}</kbd>
                  </li>
                ))}
              </ul>
            </div>
          ),
        )}
        <label className="row">
          <input
            type="checkbox"
            checked={on}
            onChange={(event) => {
              setSingleKeys(event.target.checked);
            }}
          />
          {t.singleKeys}
        </label>
        <p className="quiet small">{t.singleKeysHint}</p>
      </section>
    </Dialog>
  );
}
