import { useSyncExternalStore, type ReactElement } from 'react';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly bad: boolean;
  readonly action: { readonly label: string; readonly run: () => void } | null;
}

let shown: readonly Toast[] = [];
let next = 0;
const listeners = new Set<() => void>();

function set(toasts: readonly Toast[]): void {
  shown = toasts;
  for (const listener of listeners) listener();
}

/** Tells the person something that needs no answer; with an action, such as undoing, it stays longer. */
export function say(text: string, options: { bad?: boolean; action?: Toast['action'] } = {}): void {
  const toast = { id: (next += 1), text, bad: options.bad ?? false, action: options.action ?? null };
  set([...shown.slice(-2), toast]);
  setTimeout(
    () => {
      set(shown.filter(({ id }) => id !== toast.id));
    },
    toast.action || toast.bad ? 10_000 : 4_000,
  );
}

export function Toasts(): ReactElement {
  const toasts = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
  return (
    <div className="toasts" role="status">
      {toasts.map(({ id, text, bad, action }) => (
        <div key={id} className={bad ? 'toast bad' : 'toast'}>
          <span>{text}</span>
          {action && (
            <button type="button" onClick={action.run}>
              {action.label}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
