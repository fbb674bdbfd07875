const MAX_COMPARED = 64;

/** Returns the candidate with the smallest edit distance from a word; undefined if every distance exceeds `most`. */
export function didYouMean(
  word: string,
  candidates: Iterable<string>,
  most = Math.max(1, Math.floor(word.length / 3)),
): string | undefined {
  if (word.length > MAX_COMPARED) return undefined;
  const lowerCased = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = most + 1;
  for (const candidate of candidates) {
    const other = candidate.toLowerCase();
    // A match of the last part counts as distance 1: `sum24h` finds `outgoing.sum24h`.
    const wholeDistance = editDistance(lowerCased, other, bestDistance);
    const last = other.endsWith(`.${lowerCased}`) ? 1 : wholeDistance;
    const least = Math.min(wholeDistance, last);
    if (least < bestDistance) {
      bestDistance = least;
      best = candidate;
    }
  }
  return best;
}

/** Returns the edit distance with transpositions; stops at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let value = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        value = Math.min(value, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(value);
      least = Math.min(least, value);
    }
    if (least >= limit) return limit;
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? limit;
}
