import type { Expression } from '../syntax/ast.js';
import type { Type } from './types.js';
import type { CheckContext, CheckedExpression } from './check-result.js';
import { checkExpression } from './checker.js';
import { diagnosticOf, FaultError } from '../syntax/diagnostics.js';
import { parse } from '../syntax/parser.js';
import type { Diagnostic } from '../vocabulary.js';

export interface CheckInput extends CheckContext {
  /** The path of the text in its definition, for diagnostics. */
  readonly path?: string;
  /** The type that the expression must have: `bool` by default, 'ANY' for any type. */
  readonly yields?: Type | 'ANY';
}

export type CheckedText =
  | ({ readonly ok: true; readonly ast: Expression } & CheckedExpression)
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Parses and checks a text of the language. Never throws: returns faults with their positions. */
export function check(text: string, context: CheckInput): CheckedText {
  const { path = '', yields = 'bool' } = context;
  const refused = (faults: readonly FaultError[]): CheckedText => ({
    ok: false,
    diagnostics: faults.map((fault) => diagnosticOf(fault, text, path)),
  });
  try {
    const broken = LONE_SURROGATE.exec(text);
    if (broken) {
      const span = { start: broken.index, end: broken.index + 1 };
      return refused([new FaultError('SYNTAX', span, 'The text is not valid Unicode.')]);
    }
    const ast = parse(text);
    const checked = checkExpression(ast, context, yields);
    return checked.ok ? { ...checked, ast } : refused(checked.faults);
  } catch (error) {
    if (error instanceof FaultError) return refused([error]);
    throw error;
  }
}
