import type { FactValue, CustomField } from '../../rules/index.js';

/** Returns the text to hash for a value of a custom field. The number separates equal values of different fields. */
export const customFieldKeyText = ({ number }: Pick<CustomField, 'number'>, value: FactValue): string =>
  `${number}:${String(value)}`;
