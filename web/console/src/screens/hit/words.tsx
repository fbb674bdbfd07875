import type { ReactNode } from 'react';
import type { Hit } from '../../data/hits.js';
import { useTexts } from '../../texts/language.js';
import { hitTexts } from './texts.js';

/** The words of one side, those that found a partner marked. */
export function Words({
  hit,
  side,
  fallback,
}: {
  hit: Hit;
  side: 'left' | 'right';
  fallback: string | null;
}): ReactNode {
  const t = useTexts(hitTexts);
  if (fallback === null) return <span className="quiet">{t.erased}</span>;
  const paired = new Set(
    hit.alignment
      .filter(({ left, right, similarity }) => left !== null && right !== null && similarity > 0)
      .map((pair) => pair[side]?.toLowerCase()),
  );
  return (
    <span className="words">
      {fallback.split(/\s+/).map((one, at) => (
        <span key={at}>
          {at > 0 && ' '}
          {paired.has(plain(one)) ? <mark>{one}</mark> : one}
        </span>
      ))}
    </span>
  );
}

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
