import type { Expression } from '../syntax/ast.js';
import { check, type CheckInput } from '../check/check.js';
import type { CompiledExpression } from '../compile/closures.js';
import { compileExpression } from '../compile/compiler.js';
import { diagnosticOf, FaultError } from '../syntax/diagnostics.js';
import { MASK } from './explanation.js';
import type { FactSheet } from '../fact-sheet.js';
import { formatValue } from '../words/format.js';
import type { ParameterDefinition } from './rule-definition.js';
import type { Diagnostic, FactValue, Language, Unit } from '../vocabulary.js';

export type CompiledMessage = (sheet: FactSheet) => string;

type MessageResult =
  | { readonly ok: true; readonly message: CompiledMessage; readonly features: readonly string[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

const UNKNOWN = { 'pt-BR': 'desconhecido', en: 'unknown' } as const;
const UNITS: ReadonlyMap<string, Unit> = new Map([
  ['brl', 'BRL'],
  ['usd', 'USD'],
  ['money', 'MONEY'],
  ['count', 'COUNT'],
  ['days', 'DAYS'],
  ['score', 'SCORE'],
  ['percent', 'PERCENT'],
]);
const PLACEHOLDER = /\{([^{}]*)\}/g;
const FORMAT = /\sas\s+([a-z]+)\s*$/;
const MAX_MESSAGE = 500;

/**
 * Compiles a message with placeholders: `{incoming.sum24h}`, `{param.limit}`, `{outgoing.sum24h / incoming.sum24h as
 * percent}`. A lone field or parameter is written in its unit; anything else in the unit that `as` names.
 */
export function compileMessage(
  text: string,
  language: Language,
  parameters: Readonly<Record<string, ParameterDefinition>>,
  checking: CheckInput,
): MessageResult {
  const diagnostics: Diagnostic[] = [];
  const parts: CompiledMessage[] = [];
  const features = new Set<string>();
  const refuse = (start: number, end: number, message: string): void => {
    diagnostics.push(
      diagnosticOf(new FaultError('SYNTAX', { start, end }, message), text, checking.path ?? ''),
    );
  };
  if (text.length === 0 || text.length > MAX_MESSAGE) {
    refuse(0, text.length, 'A message has 1 to 500 characters.');
  }
  let end = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    parts.push(literal(text.slice(end, match.index)));
    end = match.index + match[0].length;
    const inner = match[1] ?? '';
    const formatMatch = FORMAT.exec(inner);
    const unit = formatMatch ? UNITS.get(formatMatch[1] ?? '') : undefined;
    if (formatMatch && unit === undefined) refuse(match.index, end, 'There is no such format.');
    const expression = formatMatch ? inner.slice(0, formatMatch.index) : inner;
    const checkedText = check(expression, { ...checking, yields: 'ANY' });
    if (checkedText.ok) {
      for (const name of checkedText.features) features.add(name);
      const personal = checkedText.features.some((name) => checking.schema.find(name)?.personal);
      parts.push(compilePlaceholder(checkedText.ast, { unit, personal, language, parameters, checking }));
    } else diagnostics.push(...checkedText.diagnostics.map((one) => shiftDiagnostic(one, match.index + 1)));
  }
  parts.push(literal(text.slice(end)));
  if (/[{}]/.test(text.replace(PLACEHOLDER, ''))) refuse(0, text.length, 'A brace has no partner.');
  if (diagnostics.length > 0) return { ok: false, diagnostics };
  return { ok: true, features: [...features], message: (sheet) => parts.map((part) => part(sheet)).join('') };
}

const literal =
  (text: string): CompiledMessage =>
  () =>
    text;

const shiftDiagnostic = (diagnostic: Diagnostic, by: number): Diagnostic => ({
  ...diagnostic,
  start: diagnostic.start + by,
  end: diagnostic.end + by,
  column: diagnostic.column + by,
});

interface PlaceholderContext {
  readonly unit: Unit | undefined;
  /** True if the expression reads a personal feature. */
  readonly personal: boolean;
  readonly language: Language;
  readonly parameters: Readonly<Record<string, ParameterDefinition>>;
  readonly checking: CheckInput;
}

function compilePlaceholder(node: Expression, placing: PlaceholderContext): CompiledMessage {
  const { language, checking, personal } = placing;
  const { schema, parameters = {} } = checking;
  const feature = node.kind === 'path' ? schema.find(node.name) : undefined;
  const own = feature?.unit ?? (node.kind === 'param' ? placing.parameters[node.name]?.unit : undefined);
  const unit = placing.unit ?? own ?? null;
  const compiled = compileExpression(node, {
    schema,
    parameters,
    minding: 'EXACT',
  });
  return (sheet) => {
    const value = valueOf(compiled, sheet);
    if (value === null) return UNKNOWN[language];
    // Texts and lists of personal features are masked. Numbers and truths are shown, because the rule is about them.
    if (personal && (typeof value === 'string' || typeof value === 'object')) return MASK;
    const text = formatValue(value, language, unit, feature?.type ?? null);
    // A capped sum is only known as a lower bound.
    return feature && sheet.saturated?.has(feature.slot) === true ? `≥ ${text}` : text;
  };
}

function valueOf(compiled: CompiledExpression, sheet: FactSheet): FactValue | null {
  switch (compiled.type) {
    case 'bool': {
      const value = compiled.run(sheet);
      return value === 2 ? null : value === 1;
    }
    case 'number':
    case 'time': {
      const value = compiled.run(sheet);
      return Number.isNaN(value) ? null : value;
    }
    case 'string':
      return compiled.run(sheet) ?? null;
    case 'numbers':
    case 'strings':
      return (compiled.run(sheet) as readonly number[] | readonly string[] | undefined) ?? null;
  }
}
