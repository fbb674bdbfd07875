import { useEffect, useRef, useState } from 'react';
import type { Shortcut } from '../shortcuts.js';

// The row of each list that was selected last: whoever comes back finds it.
const selected = new Map<string, string>();

/** Which row of a list is selected: by its id, so that it stays the same one when others come in before it. */
export function useRows<T extends { readonly id: string }>(
  items: readonly T[] | undefined,
): {
  readonly index: number;
  readonly row: T | undefined;
  readonly select: (id: string) => void;
  readonly step: (by: number) => void;
} {
  const list = location.pathname;
  const [id, setId] = useState(() => selected.get(list) ?? null);
  const select = (next: string): void => {
    selected.set(list, next);
    setId(next);
  };
  const before = useRef(0);
  const found = items?.findIndex((one) => one.id === id) ?? -1;
  const index = found === -1 ? Math.min(before.current, Math.max(0, (items?.length ?? 0) - 1)) : found;
  useEffect(() => {
    before.current = index;
  }, [index]);
  return {
    index,
    row: items?.[index],
    select,
    step: (by) => {
      const next = items?.[Math.max(0, Math.min(items.length - 1, index + by))];
      if (!next) return;
      select(next.id);
      // The focus goes along, so that it is read aloud and Enter opens it.
      requestAnimationFrame(() => {
        document.querySelector<HTMLElement>('.line[aria-current="true"]')?.focus({ preventScroll: true });
      });
    },
  };
}

/** J and K, with which every list is gone through. */
export const stepKeys = (
  t: { readonly next: string; readonly previous: string },
  step: (by: number) => void,
): readonly Shortcut[] =>
  (
    [
      ['J', t.next, 1],
      ['K', t.previous, -1],
    ] as const
  ).map(([keys, label, by]) => ({
    keys,
    label,
    footer: true,
    run: () => {
      step(by);
    },
  }));
