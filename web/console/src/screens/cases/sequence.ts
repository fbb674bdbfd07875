/** The queue as it was seen last, for going from case to case. */
export const sequence: { ids: readonly string[] } = { ids: [] };
