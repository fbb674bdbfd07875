/** The request body of actions without parameters: every POST must have a JSON body. */
export const EMPTY_BODY = { schema: { type: 'object', maxProperties: 0, example: {} } } as const;
