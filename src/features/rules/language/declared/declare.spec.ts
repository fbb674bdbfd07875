import { expect, it } from '@jest/globals';
import type { CustomField } from './custom-field.js';
import { parseDeclarations } from './declare.js';

const fee: CustomField = {
  ...{ number: 1, name: 'fee', path: 'fee', type: 'decimal', types: ['PIX_TRANSFER'] },
  ...{ personal: false, history: 'VALUE' },
};

it('a sum of amounts and a maximum are lower bounds where rows are missing; a sum of values that may be negative is not', () => {
  const { features, diagnostics } = parseDeclarations({
    parameters: {},
    customFields: { fee },
    aggregates: {
      spent: { function: 'sum', of: 'amountBrl', by: 'customer', window: '7d' },
      fees: { function: 'sum', of: 'custom.fee', by: 'customer', window: '7d' },
      highestFee: { function: 'max', of: 'custom.fee', by: 'customer', window: '7d' },
    },
  });
  expect(diagnostics).toEqual([]);
  const capped = features.map(({ definition }) => [definition.name, definition.capped]);
  expect(Object.fromEntries(capped)).toMatchObject({
    ...{ 'aggregate.spent': true, 'aggregate.fees': false, 'aggregate.highestFee': true },
  });
});
