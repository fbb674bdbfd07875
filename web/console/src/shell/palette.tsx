import { useId, useMemo, useState, type KeyboardEvent, type ReactElement } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { useSearchFor } from '../data/search.js';
import { Failure } from '../parts/answers.js';
import { Dialog } from '../parts/dialogs/dialog.js';
import { useAllShortcuts } from '../parts/shortcuts.js';
import { apart, money, relative } from '../texts/formats.js';
import { useTexts } from '../texts/language.js';
import { word } from '../texts/words.js';
import { shellTexts } from './texts.js';

interface Command {
  readonly name: string;
  readonly group: string | null;
  readonly keys: string | null;
  readonly run: () => void;
}

/** The screen that shows what an id names. */
const SCREENS: Readonly<Record<string, string>> = {
  rev: '/cases',
  cus: '/customers',
  txn: '/transactions',
  hit: '/hits',
};

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Everything that can be done here, by name; and the object of an id. What is typed stays in this box. */
export function Palette({ onClose }: { onClose: () => void }): ReactElement {
  const t = useTexts(shellTexts);
  const navigate = useNavigate();
  const groups = useAllShortcuts();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const listId = useId();

  const search = useSearchFor(text);
  const found = useMemo<readonly Command[]>(() => {
    const id = /^([a-z]{3})_[0-9a-f]{32}$/.exec(text.trim());
    const screen = id?.[1] === undefined ? undefined : SCREENS[id[1]];
    if (screen !== undefined) {
      const to = `${screen}/${text.trim()}`;
      return [{ name: t.openId(text.trim()), group: null, keys: null, run: () => void navigate({ to }) }];
    }
    const words = plain(text).split(/\s+/).filter(Boolean);
    const go = (to: string, name: string, group: string): Command => ({
      name,
      group,
      keys: null,
      run: () => void navigate({ to }),
    });
    const things: readonly Command[] = [
      ...(search.found?.customers ?? []).map(({ id, name, documentMasked, externalCustomerId }) =>
        go(
          `/customers/${id}`,
          [name && apart(name), documentMasked, externalCustomerId && apart(externalCustomerId)]
            .filter(Boolean)
            .join(' · ') || id,
          t.people,
        ),
      ),
      ...(search.found?.cases ?? []).map(({ id, theme, customerName, status, openedAt }) =>
        go(
          `/cases/${id}`,
          [
            word('theme', theme),
            customerName && apart(customerName),
            word('caseStatus', status),
            relative(openedAt),
          ]
            .filter(Boolean)
            .join(' · '),
          t.screens['cases'] ?? '',
        ),
      ),
      ...(search.found?.transactions ?? []).map(({ id, transactionId, type, amount, currency }) =>
        go(
          `/transactions/${id}`,
          [transactionId, money(amount, currency), word('transactionType', type)].join(' · '),
          t.screens['transactions'] ?? '',
        ),
      ),
    ];
    const commands = groups
      .toReversed()
      .flat()
      .filter(({ keys, label }) => keys !== '/' && words.every((word) => plain(label).includes(word)))
      .map(({ label, keys, run }) => ({ name: label, group: null, keys, run }));
    return [...commands, ...things];
  }, [text, groups, search.found, t, navigate]);

  const chosen = Math.min(at, found.length - 1);
  const run = (command: Command | undefined): void => {
    if (!command) return;
    onClose();
    // After the dialog has given the focus back.
    setTimeout(command.run);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setAt((chosen + step + found.length) % Math.max(1, found.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(found[chosen]);
    }
  };

  return (
    <Dialog title={t.command} hideTitle onClose={onClose}>
      <div className="palette">
        <input
          className="input"
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={found.length > 0 ? `${listId}-${chosen}` : undefined}
          aria-label={t.command}
          placeholder={t.commandHint}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <ul id={listId} role="listbox" aria-label={t.command}>
          {found.map((command, index) => (
            <li
              key={`${command.name} ${command.keys ?? ''} ${index}`}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === chosen}
              onClick={() => {
                run(command);
              }}
            >
              <span>{command.name}</span>
              {command.group !== null && <span className="quiet small">{command.group}</span>}
              {command.keys !== null && <kbd>{command.keys}</kbd>}
            </li>
          ))}
        </ul>
        <p className="quiet small" role="status">
          {search.busy ? t.searching : found.length === 0 ? t.noCommand : t.searchHint}
        </p>
        {search.error !== null && <Failure error={search.error} />}
      </div>
    </Dialog>
  );
}
