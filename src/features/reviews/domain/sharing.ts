/** A case and its new assignee. */
export interface CaseDistribution {
  readonly reviewId: string;
  readonly operatorId: string;
}

/** An operator who may be assigned cases, with the number of their open cases. */
export interface CaseWorker {
  readonly id: string;
  readonly open: number;
}

/**
 * Assigns cases in order, each to the operator with the fewest open cases, up to `cap`. Cases are left over when all
 * operators are at the cap.
 */
export function distributeCases(
  reviewIds: readonly string[],
  workers: readonly CaseWorker[],
  cap: number,
): { readonly shares: readonly CaseDistribution[]; readonly left: readonly string[] } {
  const load = workers.map(({ id, open }) => ({ id, open }));
  const shares: CaseDistribution[] = [];
  const undistributed: string[] = [];
  for (const reviewId of reviewIds) {
    const free = load.filter(({ open }) => open < cap);
    const next = free.reduce<(typeof load)[number] | null>(
      (least, one) => (least === null || one.open < least.open ? one : least),
      null,
    );
    if (!next) {
      undistributed.push(reviewId);
      continue;
    }
    next.open += 1;
    shares.push({ reviewId, operatorId: next.id });
  }
  return { shares, left: undistributed };
}
