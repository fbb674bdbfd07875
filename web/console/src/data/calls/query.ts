/** How answers of the service are kept in this tab: in memory, and only as long as somebody is signed in. */
import { QueryClient } from '@tanstack/react-query';
import { onAccess, currentAccess } from '../../api/access.js';
import { Problem } from '../../api/problem.js';

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < 2 && error instanceof Problem && error.passing,
    },
    mutations: { retry: false },
  },
});

/**
 * Has answers asked for anew after a change. Nobody waits for them: by then the part of the screen that made the change may
 * be gone, and could not tell the person any more that it was made.
 */
export function refresh(...keys: readonly (readonly unknown[])[]): void {
  for (const queryKey of keys) void queries.invalidateQueries({ queryKey });
}

let operator: string | null = null;
const drafts = new Map<string, string>();

onAccess(() => {
  const access = currentAccess();
  if (access.state === 'OUT') queries.clear();
  // A draft is there again after a sign-in, for the same person only.
  if (access.state === 'IN') {
    if (operator !== access.operatorId) {
      // Somebody else can sign in without a sign-out here: in another tab, after the session has ended.
      queries.clear();
      drafts.clear();
    }
    operator = access.operatorId;
  }
  if (access.state === 'OUT' && access.reason === 'LEFT') drafts.clear();
});

export const readDraft = (key: string): string => drafts.get(key) ?? '';

export function keepDraft(key: string, text: string): void {
  if (text === '') drafts.delete(key);
  else drafts.set(key, text);
}

// A screen that nobody looks at must not keep a session alive that should end by itself.
const IDLE_MS = 5 * 60_000;
let lastInput = Date.now();
// Somebody who turns to this tab is there as well, so `visibilitychange` counts.
for (const kind of ['pointerdown', 'keydown', 'wheel', 'touchstart', 'visibilitychange']) {
  addEventListener(
    kind,
    () => {
      if (document.visibilityState === 'hidden') return;
      const wasIdle = Date.now() - lastInput > IDLE_MS;
      lastInput = Date.now();
      if (wasIdle && currentAccess().state === 'IN') void queries.invalidateQueries();
    },
    { passive: true, capture: true },
  );
}

/** Asks again every so often while somebody is there. */
export const live =
  (ms: number): (() => number | false) =>
  () =>
    Date.now() - lastInput > IDLE_MS ? false : ms;
