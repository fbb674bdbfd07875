import type { FactValue, HouseField } from '../../rules/index.js';

/** Returns the text to hash for a value of a house field. The number separates equal values of different fields. */
export const houseKeyText = ({ number }: Pick<HouseField, 'number'>, value: FactValue): string =>
  `${number}:${String(value)}`;
