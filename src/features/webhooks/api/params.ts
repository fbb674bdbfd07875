/** For actions without anything to say: a POST has a JSON body all the same. */
export const EMPTY_BODY = { schema: { type: 'object', maxProperties: 0, example: {} } } as const;
