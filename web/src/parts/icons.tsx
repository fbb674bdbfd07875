import type { VNode } from 'preact';

const PATHS = {
  check: 'm5 12.5 4.5 4.5L19 7.5',
  camera: 'M4 8h3l1.5-2.5h7L17 8h3v11H4zM12 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z',
  file: 'M7 3h7l4 4v14H7zM14 3v4h4M10 12h5M10 16h5',
  alert: 'M12 8v5m0 3v.5M12 3 2.5 20h19z',
  clock: 'M12 7v5l3.5 2M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  phone: 'M8 3h8v18H8zM11 18h2',
  cloud: 'M3 3l18 18M9 6.5A5.5 5.5 0 0 1 17 10a4 4 0 0 1 3 6.5M16 19H7a4.5 4.5 0 0 1-.5-9',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5',
  arrow: 'M10 5l-7 7 7 7M3.5 12H21',
} as const;

export type IconName = keyof typeof PATHS;

/** A drawing beside words that say the same. */
export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
