import type { FactValue, HouseField } from '../../rules/index.js';

/** The text under the keyed hash of a value of a field of the house: equal values of two fields do not meet. */
export const houseKeyText = ({ number }: Pick<HouseField, 'number'>, value: FactValue): string =>
  `${number}:${String(value)}`;
