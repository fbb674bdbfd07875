/** How high the rows of lists are, as the person chose. */
import { useSyncExternalStore } from 'react';

export const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];

const KEY = 'vigia-console-density';
const listeners = new Set<() => void>();
let density: Density = densities.find((one) => one === localStorage.getItem(KEY)) ?? 'comfortable';

export function setDensity(next: Density): void {
  density = next;
  localStorage.setItem(KEY, next);
  for (const listener of listeners) listener();
}

export const useDensity = (): Density =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => density,
  );
