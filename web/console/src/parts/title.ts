import { useEffect } from 'react';

/** The title of the tab: the screen's name, never that of a person. */
export function useTitle(name: string): void {
  useEffect(() => {
    document.title = `${name} · Vigia`;
  }, [name]);
}
