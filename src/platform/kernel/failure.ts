interface Reported {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly table?: unknown;
  readonly driverError?: unknown;
}

/**
 * Describes an error for a log line: its name, its SQLSTATE or the error code of the operating system (`ECONNRESET`),
 * and the table and constraint that it names. Its message and detail are left out, because they quote values.
 */
export function describeFailure(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown error';
  const outer = error as Reported;
  const { driverError } = outer;
  const inner = (typeof driverError === 'object' && driverError !== null ? driverError : outer) as Reported;
  const words = [
    ['', outer.name],
    ['', inner.code],
    ['constraint ', inner.constraint],
    ['table ', inner.table],
  ].flatMap(([label, value]) =>
    typeof value === 'string' && /^[\w.-]{1,80}$/.test(value) ? `${String(label)}${value}` : [],
  );
  return words.length === 0 ? 'unknown error' : words.join(' ');
}
