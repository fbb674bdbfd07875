/**
 * Keys of the console. A part of it says which keys it has while it is shown; the footer and the list of keys read them
 * from here. Keys without Ctrl act only where nobody is typing, and can be switched off (WCAG 2.2, 2.1.4).
 */
import { useEffect, useRef, useSyncExternalStore } from 'react';

export interface Shortcut {
  /** "J", "G C" (one after the other), "Ctrl K", "Ctrl Enter". */
  readonly keys: string;
  readonly label: string;
  readonly run: () => void;
  /** Whether it stands in the footer; all of them stand in the list. */
  readonly footer?: boolean;
}

const KEY = 'vigia-console-single-keys';
const SEQUENCE_MS = 1_200;

let groups: readonly (readonly Shortcut[])[] = [];
let singleKeys = localStorage.getItem(KEY) !== 'off';
let before: { readonly key: string; readonly at: number } | null = null;
const listeners = new Set<() => void>();

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

function changed(): void {
  for (const listener of listeners) listener();
}

/** Binds keys while the calling component is shown; those that came last go first. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const now = useRef(shortcuts);
  useEffect(() => {
    now.current = shortcuts;
  });
  // The names of the keys; the action is always that of the newest drawing.
  const shape = JSON.stringify(shortcuts.map(({ keys, label, footer }) => [keys, label, footer]));
  useEffect(() => {
    const group = (JSON.parse(shape) as [string, string, boolean | null][]).map(
      ([keys, label, footer], at) => ({
        keys,
        label,
        footer: footer === true,
        run: () => now.current[at]?.run(),
      }),
    );
    groups = [...groups, group];
    changed();
    return () => {
      groups = groups.filter((one) => one !== group);
      changed();
    };
  }, [shape]);
}

export const useAllShortcuts = (): readonly (readonly Shortcut[])[] =>
  useSyncExternalStore(subscribe, () => groups);

export const useSingleKeys = (): boolean => useSyncExternalStore(subscribe, () => singleKeys);

export function setSingleKeys(on: boolean): void {
  singleKeys = on;
  localStorage.setItem(KEY, on ? 'on' : 'off');
  changed();
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type));

/** Where a key was pressed; the inside of a shadow root hides behind its host otherwise. */
const targetOf = (event: KeyboardEvent): EventTarget | null => event.composedPath()[0] ?? event.target;

/** Enter and the space bar belong to the button or link that has the focus. */
const isOwnKey = (event: KeyboardEvent): boolean =>
  (event.key === 'Enter' || event.key === ' ') &&
  event.target instanceof Element &&
  event.target.closest('a, button, [role="option"], [role="menuitem"], summary') !== null;

function find(keys: string): Shortcut | undefined {
  return groups
    .toReversed()
    .flat()
    .find((one) => one.keys.toLowerCase() === keys.toLowerCase());
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || event.isComposing) return;
  const withControl = event.ctrlKey || event.metaKey;
  const inDialog = document.querySelector('[role="dialog"]');
  // A dialog has its own keys; of those behind it only what is bound from inside of it counts.
  if (inDialog && !withControl) return;
  let found: Shortcut | undefined;
  if (withControl) found = find(`Ctrl ${event.key}`);
  else if (singleKeys && !isTyping(targetOf(event)) && !isOwnKey(event)) {
    const first = before && Date.now() - before.at < SEQUENCE_MS ? before.key : null;
    found = (first === null ? undefined : find(`${first} ${event.key}`)) ?? find(event.key);
    before = found ? null : { key: event.key, at: Date.now() };
  }
  if (!found) return;
  event.preventDefault();
  found.run();
}

addEventListener('keydown', onKey);
