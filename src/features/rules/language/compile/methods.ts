import { LOCAL_PARTS } from '../check/types.js';
import { table } from '../../../../platform/kernel/table.js';
import { bankDayOf, localPartIn } from '../local-time.js';
import { foldText } from '../values.js';
import type { CompiledExpression, TextClosure } from './closures.js';
import {
  asItems,
  asNumeric,
  asText,
  boolOf,
  compileMultipleTest,
  numberOf,
  textTest,
} from './comparisons.js';

type CompileMethod = (
  receiver: CompiledExpression,
  argument: CompiledExpression | null,
) => CompiledExpression;

const textOf = (run: TextClosure): CompiledExpression => ({ type: 'string', run, constant: null });

const compileTextTest =
  (test: (text: string, part: string) => boolean): CompileMethod =>
  (receiver, argument) => {
    if (!argument) throw new Error('a checked test of a text has an argument');
    return textTest(test, asText(receiver).run, asText(argument).run);
  };

const compileLocalPart =
  (name: string): CompileMethod =>
  (receiver, argument) => {
    const partOf = localPartIn(LOCAL_PARTS[name] ?? 'hour', String(argument?.constant));
    const { run } = asNumeric(receiver);
    return numberOf((sheet) => partOf(run(sheet)));
  };

/** How each method gets its value from the value before its dot: NaN or undefined where that one is unknown. */
const METHODS: Readonly<Record<string, CompileMethod>> = table({
  isRound: (receiver, argument) => compileMultipleTest(asNumeric(receiver).run, argument),
  localHour: compileLocalPart('localHour'),
  localWeekday: compileLocalPart('localWeekday'),
  localDay: compileLocalPart('localDay'),
  isBankDay: (receiver) => {
    const { run } = asNumeric(receiver);
    return boolOf((sheet) => bankDayOf(run(sheet)));
  },
  plain: (receiver) => {
    const { run } = asText(receiver);
    return textOf((sheet) => foldText(run(sheet)));
  },
  digits: (receiver) => {
    const { run } = asText(receiver);
    return textOf((sheet) => run(sheet)?.replace(/\D/g, ''));
  },
  size: (receiver) => {
    const { run } = asItems(receiver);
    return numberOf((sheet) => run(sheet)?.length ?? NaN);
  },
  startsWith: compileTextTest((text, part) => text.startsWith(part)),
  endsWith: compileTextTest((text, part) => text.endsWith(part)),
  contains: compileTextTest((text, part) => text.includes(part)),
});

/** Compiles the call of a method; `receiver` is the value before its dot. */
export function compileMethod(
  name: string,
  receiver: CompiledExpression,
  argument: CompiledExpression | null,
): CompiledExpression {
  const compile = METHODS[name];
  if (!compile) throw new Error(`a checked rule calls ${name}`);
  return compile(receiver, argument);
}
