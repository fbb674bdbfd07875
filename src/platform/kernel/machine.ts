/** A state machine. Its table names for each state the states that may follow it. */
export interface Machine<S extends string> {
  allows(from: S, to: S): boolean;
  isTerminal(state: S): boolean;
  readonly states: readonly S[];
}

export function machine<S extends string>(table: Readonly<Record<S, readonly S[]>>): Machine<S> {
  return {
    allows: (from, to) => table[from].includes(to),
    isTerminal: (state) => table[state].length === 0,
    states: Object.keys(table) as S[],
  };
}
