import type { Span } from './ast.js';
import type { Diagnostic, DiagnosticCode } from '../vocabulary.js';

interface Hints {
  readonly expected?: string | undefined;
  readonly found?: string | undefined;
  readonly suggestion?: string | undefined;
}

/** A fault in a text, thrown by the parser and collected by the checker; never leaves this folder. */
export class FaultError extends Error {
  constructor(
    readonly code: DiagnosticCode,
    readonly span: Span,
    message: string,
    readonly hints: Hints = {},
  ) {
    super(message);
  }
}

/** Adds the position in the text to a fault. */
export function diagnosticOf(fault: FaultError, text: string, path: string): Diagnostic {
  const { expected, found, suggestion } = fault.hints;
  const start = Math.min(fault.span.start, text.length);
  const before = text.slice(0, start).split('\n');
  return {
    code: fault.code,
    path,
    message: fault.message,
    start,
    end: Math.min(fault.span.end, text.length),
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
    ...(expected === undefined ? {} : { expected }),
    ...(found === undefined ? {} : { found }),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}
