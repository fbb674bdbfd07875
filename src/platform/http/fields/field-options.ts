/** The properties of an OpenAPI schema that every decorator of `Field` and `View` takes. */
export interface Documentation {
  readonly description?: string;
  readonly example?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
}

export type DecoratorArguments<Options> =
  | readonly [options: Options]
  | readonly [description: string, options: Options]
  | (Partial<Options> extends Options ? readonly [description?: string] : never);

/**
 * Returns the options of a decorator. The cast is safe: `DecoratorArguments` lets options be left out only if all of
 * them may be missing.
 */
export const optionsOf = <Options extends object>([first, second]: DecoratorArguments<Options>): Options =>
  (typeof first === 'string' ? { description: first, ...second } : { ...first }) as Options;
