/** Light or dark, as the system has it unless the person chose. */
import { useSyncExternalStore } from 'react';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const KEY = 'vigia-console-theme';
const dark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();
let theme: Theme = themes.find((one) => one === localStorage.getItem(KEY)) ?? 'system';

function paint(): void {
  const shown = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme;
  document.documentElement.dataset['theme'] = shown;
}

dark.addEventListener('change', paint);
paint();

export function setTheme(next: Theme): void {
  theme = next;
  localStorage.setItem(KEY, next);
  paint();
  for (const listener of listeners) listener();
}

export const useTheme = (): Theme =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => theme,
  );
