/** A case and the operator who gets it. */
export interface CaseShare {
  readonly reviewId: string;
  readonly operatorId: string;
}

/** An operator who can get cases, with the number of open cases that they have. */
export interface Worker {
  readonly id: string;
  readonly open: number;
}

/**
 * Shares out cases in their order, each to the operator who has the fewest, up to `cap`. Cases for which nobody is below
 * the cap are left.
 */
export function shareOut(
  reviewIds: readonly string[],
  workers: readonly Worker[],
  cap: number,
): { readonly shares: readonly CaseShare[]; readonly left: readonly string[] } {
  const load = workers.map(({ id, open }) => ({ id, open }));
  const shares: CaseShare[] = [];
  const left: string[] = [];
  for (const reviewId of reviewIds) {
    const free = load.filter(({ open }) => open < cap);
    const next = free.reduce<(typeof load)[number] | null>(
      (least, one) => (least === null || one.open < least.open ? one : least),
      null,
    );
    if (!next) {
      left.push(reviewId);
      continue;
    }
    next.open += 1;
    shares.push({ reviewId, operatorId: next.id });
  }
  return { shares, left };
}
