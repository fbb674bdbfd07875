/** How answers of the service are kept in this tab: in memory, and only as long as somebody is signed in. */
import { QueryClient } from '@tanstack/react-query';
import { onAccess, currentAccess } from '../../api/access.js';
import { Problem } from '../../api/problem.js';
import { forgetTyped } from './typed.js';

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // A call that finds no network fails, and is not made later, when nobody expects it any more.
      networkMode: 'always',
      staleTime: 10_000,
      retry: (failures, error) => failures < 2 && error instanceof Problem && error.passing,
    },
    mutations: { networkMode: 'always', retry: false },
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

onAccess(() => {
  const access = currentAccess();
  if (access.state === 'OUT') queries.clear();
  // The same person finds what they had typed after a sign-in.
  if (access.state === 'IN') {
    if (operator !== access.operatorId) {
      // Somebody else can sign in without a sign-out here: in another tab, after the session has ended.
      queries.clear();
      forgetTyped();
    }
    operator = access.operatorId;
  }
  if (access.state === 'OUT' && access.reason === 'LEFT') forgetTyped();
});

// The screen is read anew when the network is back; no change that was asked for meanwhile is made then.
addEventListener('online', () => {
  if (currentAccess().state === 'IN') void queries.invalidateQueries();
});

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
