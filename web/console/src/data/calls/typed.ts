/**
 * Keeps what somebody has typed and not sent. It stays in the memory of this tab, and so comes back in a form that was closed,
 * on another screen, and after a sign-in of the same person. Nothing of it is stored: before a reload takes it, the browser
 * asks.
 */
import { useRef, useState } from 'react';

const kept = new Map<string, unknown>();

addEventListener('beforeunload', (event) => {
  if (kept.size > 0) event.preventDefault();
});

export function forgetTyped(): void {
  kept.clear();
}

export interface Typed<T> {
  readonly value: T;
  readonly set: (value: T) => void;
  /** Whether something was typed that is not sent. */
  readonly isDirty: boolean;
  /** Whether it was there when the form was opened. */
  readonly isRestored: boolean;
  /** Forgets what was typed, and shows again what was there first. */
  readonly drop: () => void;
  /** Takes the value for what is there now, as it has been sent; what was typed since then stays. */
  readonly sent: (renew?: (value: T) => T) => void;
}

/** A value that somebody types, of what JSON can hold; null as the key keeps nothing. */
export function useTyped<T>(key: string | null, initial: T): Typed<T> {
  const [state, setState] = useState(() => {
    const before = key === null ? undefined : (kept.get(key) as T | undefined);
    return { first: initial, value: before ?? initial, isRestored: before !== undefined };
  });
  // The newest state, for what comes back after more was typed.
  const newest = useRef(state);
  const become = (next: typeof state): void => {
    newest.current = next;
    setState(next);
    if (key === null) return;
    if (isSame(next.value, next.first)) kept.delete(key);
    else kept.set(key, next.value);
  };
  const { first, value, isRestored } = state;
  return {
    value,
    isDirty: !isSame(value, first),
    isRestored,
    set: (next) => {
      become({ ...newest.current, value: next });
    },
    drop: () => {
      become({ first, value: first, isRestored: false });
    },
    sent: (renew = (same) => same) => {
      become({ first: renew(value), value: renew(newest.current.value), isRestored: false });
    },
  };
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
