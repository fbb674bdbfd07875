import { apart } from '../texts/formats.js';

/** Who sends and who receives; empty where nobody is named. */
export const fromTo = ({
  originName,
  destinationName,
}: {
  readonly originName: string | null;
  readonly destinationName: string | null;
}): string =>
  originName === null && destinationName === null
    ? ''
    : `${apart(originName ?? '—')} → ${apart(destinationName ?? '—')}`;
