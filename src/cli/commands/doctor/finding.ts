export type Verdict = 'ok' | 'look' | 'bad';

/** The result for one part of the installation, with advice if there is a problem. */
export interface DoctorFinding {
  readonly what: string;
  readonly verdict: Verdict;
  readonly says: string;
}

export const finding = (
  what: string,
  isWell: boolean,
  says: string,
  otherwise: Verdict = 'bad',
): DoctorFinding => ({
  ...{ what, says },
  verdict: isWell ? 'ok' : otherwise,
});
