/** Age of a case in whole days since it was opened. */
export const ageBuckets = ['0-7', '8-30', '31-45', '46+'] as const;
export type AgeBucket = (typeof ageBuckets)[number];
