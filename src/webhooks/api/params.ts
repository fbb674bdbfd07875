/** For actions without anything to say: a POST has a JSON body all the same. */
export const NOTHING_TO_SAY = { schema: { type: 'object', maxProperties: 0, example: {} } } as const;
