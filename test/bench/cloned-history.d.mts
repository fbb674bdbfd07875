import type { ClientBase } from 'pg';

export function cloneHistory(
  client: ClientBase,
  options: { readonly rows: number; readonly days?: number; readonly chunk?: number },
): Promise<number>;

/** Makes the function of the session that puts the time of an id back, by milliseconds, and combines it with a number. */
export const SHIFT: string;
