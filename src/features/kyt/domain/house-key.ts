import type { FactValue, HouseField } from '../../rules/index.js';

/** Returns the text to hash for a value of a house field; the number keeps equal values of two fields apart. */
export const houseKeyText = ({ number }: Pick<HouseField, 'number'>, value: FactValue): string =>
  `${number}:${String(value)}`;
