/** A count with its noun, singular or plural: "1 entry", "2 entries", "0 entries". */
export const countOf = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;
