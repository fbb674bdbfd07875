import { useSyncExternalStore } from 'react';

/** The width of the window. */
export const useWidth = (): number =>
  useSyncExternalStore(
    (listener) => {
      addEventListener('resize', listener);
      return () => {
        removeEventListener('resize', listener);
      };
    },
    () => innerWidth,
  );
