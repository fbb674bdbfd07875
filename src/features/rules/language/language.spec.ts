import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { ReferenceInterpreter } from '../../../../test/support/reference-interpreter.js';
import {
  aRule,
  bare,
  conditions,
  factValues,
  sheetWith,
  usedFeatures,
  type Values,
} from '../../../../test/support/rule-language.js';
import { processorMs } from '../../../../test/support/timing.js';
import { decodeFacts, encodeFacts } from '../domain/snapshot/snapshot-codec.js';
import { add, divide, isMultiple, multiply, roundToExact, subtract } from './decimal.js';
import {
  check,
  compileRule,
  FactSheet,
  featureSchema,
  type FeatureName,
  fromBuilder,
  printPlainLanguage,
  LIMITS,
  exactNumberOf,
  printExpression,
  RuleProgram,
  toBuilderNode,
  type CompiledRule,
  type Diagnostic,
  type RuleDefinition,
  type Truth,
} from './index.js';
import { runsInPart } from '../../../../test/support/needs.js';

const checked = (text: string): ReturnType<typeof check> => check(text, { schema: featureSchema });

function ruleOf(changes: Partial<RuleDefinition>): CompiledRule {
  const result = compileRule(aRule(changes), { schema: featureSchema });
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return result.rule;
}

const TRUTHS = { HIT: 'TRUE', NO_HIT: 'FALSE', INDETERMINATE: 'UNKNOWN' } as const;

/** Evaluates a condition on a sheet; the lists it asks are declared for it. */
function truthOf(when: string, sheet: FactSheet): Truth {
  const found = checked(when);
  const lists = found.ok ? found.lists : [];
  const { verdict, failed } = ruleOf({ when, lists }).evaluate(sheet);
  expect(failed).toBe(false);
  return TRUTHS[verdict];
}

const sheetOf = (values: Values): FactSheet => sheetWith(values);

/** Generated conditions that are beyond a bound are passed over. */
function accepted(text: string): Extract<ReturnType<typeof check>, { ok: true }> {
  const found = checked(text);
  fc.pre(found.ok);
  return found;
}

function refusal(text: string): Diagnostic {
  const result = checked(text);
  if (result.ok) throw new Error('the text was accepted');
  return result.diagnostics[0]!;
}

const RUNS = runsInPart(3_000);

describe('the three truth values', () => {
  // Three fields that are true, false and unknown.
  const sheet = sheetOf({ 'origin.nameGiven': true, sameHolder: false, 'counterparty.seenBefore': null });
  const T = 'origin.nameGiven';
  const F = 'sameHolder';
  const U = 'counterparty.seenBefore';
  const words = { [T]: 'TRUE', [F]: 'FALSE', [U]: 'UNKNOWN' } as const;

  it.each([
    [T, T, 'TRUE', 'TRUE'],
    [T, F, 'FALSE', 'TRUE'],
    [T, U, 'UNKNOWN', 'TRUE'],
    [F, T, 'FALSE', 'TRUE'],
    [F, F, 'FALSE', 'FALSE'],
    [F, U, 'FALSE', 'UNKNOWN'],
    [U, T, 'UNKNOWN', 'TRUE'],
    [U, F, 'FALSE', 'UNKNOWN'],
    [U, U, 'UNKNOWN', 'UNKNOWN'],
  ])('%s and %s', (a, b, and, or) => {
    expect(truthOf(`${a} && ${b}`, sheet)).toBe(and);
    expect(truthOf(`${a} || ${b}`, sheet)).toBe(or);
  });

  it('hold for chains of any length', () => {
    const chain = fc.array(fc.constantFrom(T, F, U), { minLength: 2, maxLength: 7 });
    fc.assert(
      fc.property(chain, (names) => {
        const has = (name: string): boolean => names.includes(name as typeof T);
        expect(truthOf(names.join(' && '), sheet)).toBe(has(F) ? 'FALSE' : has(U) ? 'UNKNOWN' : 'TRUE');
        expect(truthOf(names.join(' || '), sheet)).toBe(has(T) ? 'TRUE' : has(U) ? 'UNKNOWN' : 'FALSE');
      }),
    );
  });

  it('turn round under not', () => {
    expect([T, F, U].map((name) => truthOf(`!${name}`, sheet))).toEqual(['FALSE', 'TRUE', 'UNKNOWN']);
    expect([T, F, U].map((name) => truthOf(`!!${name}`, sheet))).toEqual(Object.values(words));
  });

  it.each([
    ['amountBrl > 5', 'a comparison with something unknown'],
    ['amountBrl == amountBrl', 'something unknown is not even equal to itself'],
    ['1 / 0 > 5', 'division by zero'],
    ['outgoing.sum24h / incoming.sum24h > 0.5', 'division by a zero that was found'],
    ['counterparty.seenBefore ? true : true', 'a choice by something unknown'],
    ['origin.country in ["BR"]', 'membership of something unknown'],
    ['activity.amounts7d.exists(a, a > 5)', 'a list that is unknown'],
    ['activity.amounts7d.count(a, a > 5) > 0', 'a count over an unknown list'],
    ['cash.amounts5bd.sum(a, a > amountBrl) > 0', 'a sum by something unknown'],
    ['list("watch").has(origin.country)', 'a list asked for something unknown'],
    ['list("watch").has("é")', 'a list that cannot be asked'],
    ['origin.country.startsWith("B")', 'a part of an unknown text'],
    ['occurredAt.localHour("America/Sao_Paulo") >= 0', 'the hour of an unknown moment'],
    ['amountBrl.isRound(1000)', 'whether something unknown is round'],
    ['-amountBrl < 0', 'minus something unknown'],
    ['hoursBetween(activity.lastAt, occurredAt) > 1', 'hours between unknown moments'],
  ])('%s is UNKNOWN: %s', (when) => {
    const facts = sheetOf({
      'outgoing.sum24h': 5,
      'incoming.sum24h': 0,
      'counterparty.seenBefore': null,
      'cash.amounts5bd': [1, 2],
    });
    expect(truthOf(when, facts)).toBe('UNKNOWN');
  });

  it('tell a value that is not there from one that could not be looked for', () => {
    const facts = new FactSheet(featureSchema)
      .set('amountBrl', 0)
      .setUnknown('origin.country', 'MISSING', 'NOT_GIVEN')
      .setUnknown('profile.monthlyIncome', 'ERROR', 'PROVIDER_FAILED')
      .setUnknown('pep.nameScore', 'STALE', 'LIST_STALE');
    expect(truthOf('has(amountBrl)', facts)).toBe('TRUE');
    expect(truthOf('has(origin.country)', facts)).toBe('FALSE');
    // A source that failed is no proof of absence.
    expect(truthOf('has(profile.monthlyIncome)', facts)).toBe('UNKNOWN');
    expect(truthOf('!has(pep.nameScore)', facts)).toBe('UNKNOWN');
    expect(truthOf('has(type)', facts)).toBe('UNKNOWN');
  });
});

describe('quantifiers', () => {
  const facts = sheetOf({
    'cash.amounts5bd': [9900, 100.5, 9900],
    'activity.amounts7d': [],
    countries: ['BR', 'KP'],
  });

  it.each<[string, Truth]>([
    ['cash.amounts5bd.exists(a, a < 500)', 'TRUE'],
    ['cash.amounts5bd.exists(a, a < 100)', 'FALSE'],
    ['cash.amounts5bd.all(a, a >= 100.5)', 'TRUE'],
    ['cash.amounts5bd.all(a, a > 100.5)', 'FALSE'],
    ['cash.amounts5bd.count(a, a == 9900) == 2', 'TRUE'],
    ['cash.amounts5bd.sum(a, true) == 19900.5', 'TRUE'],
    ['cash.amounts5bd.sum(a, a < 500) == 100.5', 'TRUE'],
    ['cash.amounts5bd.size() == 3', 'TRUE'],
    ['activity.amounts7d.exists(a, true)', 'FALSE'],
    ['activity.amounts7d.all(a, false)', 'TRUE'],
    ['activity.amounts7d.sum(a, true) == 0', 'TRUE'],
    ['countries.exists(c, c == "KP")', 'TRUE'],
    ['countries.exists(c, list("watch").has(c))', 'TRUE'],
    ['"BR" in countries && !("PT" in countries)', 'TRUE'],
    // One item decides although another condition is unknown.
    ['cash.amounts5bd.exists(a, a < 500 || a > amountBrl)', 'TRUE'],
    ['cash.amounts5bd.exists(a, a < 100 || a > amountBrl)', 'UNKNOWN'],
    ['cash.amounts5bd.all(a, a > 500 && a > amountBrl)', 'FALSE'],
  ])('%s is %s', (when, truth) => {
    expect(truthOf(when, facts)).toBe(truth);
  });
});

describe('numbers', () => {
  const sheet = (amount: number): FactSheet => new FactSheet(featureSchema).set('amountBrl', amount);

  it.each([
    ['amountBrl > 1000', 1000.01],
    ['amountBrl == 1000.01', 1000.01],
    ['0.1 + 0.2 == 0.3', 0],
    ['amountBrl * 3 == 3000.03', 1000.01],
    ['amountBrl - 1000 == 0.01', 1000.01],
    ['amountBrl + 0.02 == 999999999999.99', 999_999_999_999.97],
    ['1.1 * 1.1 == 1.21', 0],
    ['0.9 * 10000 == 9000', 0],
    ['2 + 3 * 4 == 14 && (2 + 3) * 4 == 20', 0],
    ['10 - 4 - 3 == 3 && 100 / 10 / 5 == 2', 0],
    ['-5 + 3 == -2 && -(2 + 3) == -5', 0],
    ['amountBrl.isRound(1000) && !(amountBrl + 0.01).isRound(1000)', 5000],
    ['0.3.isRound(0.1) && 4.35.isRound(0.05)', 0],
  ])('%s is true of %d', (when, amount) => {
    expect(truthOf(when, sheet(amount))).toBe('TRUE');
  });

  /** An exact decimal: an integer over a power of ten. */
  const decimals = fc
    .tuple(fc.bigInt({ min: -99_999_999_999_999n, max: 99_999_999_999_999n }), fc.integer({ min: 0, max: 4 }))
    .map(([digits, places]) => ({ digits, places, value: Number(`${digits}e-${places}`) }));

  it('are added, subtracted and multiplied exactly, as far as 15 digits go', () => {
    // ASVS 1.4.2
    const scaled = ({ digits, places }: { digits: bigint; places: number }): bigint =>
      digits * 10n ** BigInt(4 - places);
    const toNumber = (value: bigint, places: number): number =>
      Number(Number(`${value}e-${places}`).toPrecision(15));
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        // A double is nearest to the exact result when the larger operand has its last place within 15 digits.
        const [x, y] = [scaled(a), scaled(b)];
        const fits = [x, y, x + y, x - y].every((one) => one < 10n ** 15n && one > -(10n ** 15n));
        if (fits) {
          expect(add(a.value, b.value)).toBe(toNumber(x + y, 4) + 0);
          expect(subtract(a.value, b.value)).toBe(toNumber(x - y, 4) + 0);
        }
        const product = a.digits * b.digits;
        if (product < 10n ** 15n && product > -(10n ** 15n)) {
          expect(multiply(a.value, b.value)).toBe(toNumber(product, a.places + b.places) + 0);
        }
      }),
      { numRuns: runsInPart(2_000) },
    );
  });

  it('are rounded the same the short way and the long way', () => {
    const doubles = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.tuple(fc.integer(), fc.integer({ min: 1, max: 10_000 })).map(([a, b]) => a / b),
      fc.integer({ min: -(2 ** 52), max: 2 ** 52 }).map((value) => value / 100),
    );
    fc.assert(
      fc.property(doubles, (value) => {
        expect(roundToExact(value)).toBe(Number(value.toPrecision(15)) + 0);
      }),
      { numRuns: 2_000 },
    );
  });

  it('amounts in cents are multiples of a cent, and of what they are multiples of', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 99_999_999 }),
        fc.integer({ min: 1, max: 1_000_000 }),
        (count, step) => {
          fc.pre(count * step < 10 ** 14);
          expect(isMultiple((count * step) / 100, step / 100)).toBe(true);
          expect(isMultiple((count * step + 1) / 100, step / 100)).toBe(step === 1);
        },
      ),
    );
  });

  it('have no result by zero, nor beyond what is finite', () => {
    expect(divide(5, 0)).toBeNaN();
    expect(multiply(1e300, 1e300)).toBeNaN();
    expect(exactNumberOf('999999999999.99')).toBe(999_999_999_999.99);
  });
});

describe('what is refused', () => {
  it.each<[string, Partial<Diagnostic>]>([
    ['amountBr > 5', { code: 'UNKNOWN_FIELD', start: 0, end: 8, suggestion: 'amountBrl' }],
    ['true &&\n  sum24h > 5', { code: 'UNKNOWN_FIELD', line: 2, column: 3 }],
    ['amountBrl > "5"', { code: 'WRONG_TYPE', start: 12, end: 15, expected: 'number', found: 'text' }],
    ['amountBrl', { code: 'WRONG_TYPE', expected: 'true or false', found: 'number' }],
    ['amountBrl && true', { code: 'WRONG_TYPE', start: 0, end: 9 }],
    ['type > "A"', { code: 'WRONG_TYPE', expected: 'number or time' }],
    ['occurredAt > 5', { code: 'WRONG_TYPE', expected: 'time', found: 'number' }],
    ['type + "A" == "B"', { code: 'WRONG_TYPE', expected: 'number', found: 'text' }],
    ['type in [1, 2]', { code: 'WRONG_TYPE', expected: 'a list of texts', found: 'a list of numbers' }],
    ['type in ["A", 2]', { code: 'WRONG_TYPE', start: 14, end: 15 }],
    ['countries == "BR"', { code: 'WRONG_TYPE', expected: 'a single value' }],
    ['type.exists(c, true)', { code: 'WRONG_TYPE', expected: 'a list' }],
    ['countries.sum(c, true) > 5', { code: 'WRONG_TYPE', expected: 'a list of numbers' }],
    ['countries.exists(a, countries.exists(b, a == b))', { code: 'NESTED_QUANTIFIER', start: 20, end: 47 }],
    ['amountBrl.isRund(5)', { code: 'UNKNOWN_FUNCTION', suggestion: 'amount.isRound(1000)' }],
    ['size(countries) > 1', { code: 'UNKNOWN_FUNCTION', suggestion: 'list.size()' }],
    ['type.matches("a+")', { code: 'UNKNOWN_FUNCTION' }],
    ['type.startsWith()', { code: 'WRONG_ARGUMENT', expected: 'text.startsWith("…")' }],
    ['amountBrl.isRound(0)', { code: 'WRONG_ARGUMENT', start: 18, end: 19 }],
    ['amountBrl.isRound(amountBrl)', { code: 'WRONG_ARGUMENT' }],
    ['occurredAt.localHour("Mars/Olympus") > 5', { code: 'WRONG_ARGUMENT' }],
    ['has(5)', { code: 'WRONG_ARGUMENT', expected: 'has(field)' }],
    ['has(amountBrl + 1)', { code: 'WRONG_ARGUMENT' }],
    ['list(type).has("x")', { code: 'WRONG_ARGUMENT', expected: "list('id')" }],
    ['list("x")', { code: 'WRONG_ARGUMENT', expected: "list('id').has(value)" }],
    ['list("x").has(5)', { code: 'WRONG_TYPE', expected: 'text', found: 'number' }],
    ['amountBrl > param.limit', { code: 'UNKNOWN_PARAMETER' }],
    ['amountBrl = 5', { code: 'SYNTAX', start: 10, suggestion: '==' }],
    ['amountBrl > 5 & true', { code: 'SYNTAX', suggestion: '&&' }],
    ['1 < amountBrl < 5', { code: 'SYNTAX', message: 'Comparisons cannot be chained.' }],
    ['type == null', { code: 'SYNTAX', suggestion: 'has(field)' }],
    ['(amountBrl > 5', { code: 'SYNTAX', expected: "')'", found: 'the end', start: 14 }],
    ['', { code: 'SYNTAX', expected: 'a value', start: 0, line: 1, column: 1 }],
    ['type == "abc', { code: 'SYNTAX', message: 'The text in quotes does not end.' }],
    ['type == "\\x41"', { code: 'SYNTAX', message: 'This escape does not exist.' }],
    ['amountBrl > 1.000,00', { code: 'SYNTAX', found: "','" }],
    ['amountBrl > 1e3', { code: 'SYNTAX', expected: 'a number such as 1000.01' }],
    ['amountBrl > 1000.0000000000001', { code: 'SYNTAX', expected: 'at most 15 significant digits' }],
    ['type in []', { code: 'SYNTAX' }],
    ['type == "\ud800"', { code: 'SYNTAX', message: 'The text is not valid Unicode.' }],
    ['countries.exists(type, true)', { code: 'SYNTAX', found: 'type' }],
    ['{"a": 1}', { code: 'SYNTAX' }],
    ['amountBrl % 2 == 0', { code: 'SYNTAX' }],
    ['`ls`', { code: 'SYNTAX' }],
  ])('%s', (text, diagnostic) => {
    expect(refusal(text)).toMatchObject(diagnostic);
  });

  it('says all that is wrong with types and names at once', () => {
    const result = checked('amountBr > 5 && type > 3 && countrys.exists(c, c == 5)');
    expect(result.ok ? [] : result.diagnostics.map((one) => one.code)).toEqual([
      'UNKNOWN_FIELD',
      'WRONG_TYPE',
      'UNKNOWN_FIELD',
    ]);
  });

  it('refuses what costs too much, has too many parts or is too deep', () => {
    const many = Array.from({ length: 30 }, (_, i) => `a > ${i}`).join(' || ');
    expect(refusal(`activity.amounts7d.exists(a, ${many})`)).toMatchObject({
      code: 'TOO_EXPENSIVE',
      expected: `a cost of at most ${LIMITS.cost}`,
    });
    const parts = Array.from({ length: 140 }, () => 'amountBrl > 1').join(' && ');
    expect(refusal(parts)).toMatchObject({ code: 'TOO_LARGE' });
    expect(refusal(`${'!'.repeat(30)}true`)).toMatchObject({ code: 'TOO_DEEP' });
    expect(refusal(`${'('.repeat(3_000)}true${')'.repeat(3_000)}`)).toMatchObject({ code: 'TOO_DEEP' });
    expect(refusal(`type in [${'"A",'.repeat(250)}"A"]`)).toMatchObject({ code: 'LIST_TOO_LONG' });
    expect(refusal(`type in [${'"A",'.repeat(450)}"A"]`)).toMatchObject({ code: 'TOO_LARGE' });
    expect(refusal(' '.repeat(LIMITS.text + 1))).toMatchObject({ code: 'TOO_LARGE' });
    const parameters = { codes: Array.from({ length: 201 }, (_, i) => `C${i}`) };
    expect(check('type in param.codes', { schema: featureSchema, parameters })).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'LIST_TOO_LONG' }],
    });
  });

  it('stops at nested quantifiers at once, however many there are', () => {
    let text = 'true';
    for (let i = 0; i < 22; i += 1) text = `countries.exists(c${i}, ${text})`;
    const lookups = jest.spyOn(featureSchema, 'find');
    try {
      expect(refusal(text)).toMatchObject({ code: 'NESTED_QUANTIFIER' });
      expect(lookups).toHaveBeenCalled();
      // Each of the 22 would double the work of going through them all.
      expect(lookups.mock.calls.length).toBeLessThan(100);
    } finally {
      lookups.mockRestore();
    }
  });

  it('asks for lists that exist', () => {
    const lists = new Set(['fatf-call-for-action']);
    expect(check('list("fatf-call-for-acton").has(type)', { schema: featureSchema, lists })).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'UNKNOWN_LIST', suggestion: 'fatf-call-for-action' }],
    });
  });

  it.each<[Partial<RuleDefinition>, Partial<Diagnostic>]>([
    [{ key: 'lower' }, { path: 'key' }],
    [
      { appliesTo: { types: [], channels: ['*'], currencies: ['*'], directions: ['IN'] } },
      { path: 'appliesTo.types' },
    ],
    [{ score: { points: 101, group: 'X', groupMax: null } }, { path: 'score' }],
    [
      { score: { points: 1, group: 'X', groupMax: null, tiers: [{ when: 'x', points: 2 }] } },
      { path: 'score.tiers.0.when' },
    ],
    [
      { evidence: [{ feature: 'amountBr', required: true }] },
      { path: 'evidence.0.feature', suggestion: 'amountBrl' },
    ],
    [{ lists: ['never-asked'] }, { path: 'lists' }],
    [{ cooldown: '1 day' }, { path: 'cooldown' }],
    [
      { message: { 'pt-BR': 'Valor {amountBr}.', en: 'Amount.' } },
      { path: 'message.pt-BR', start: 7, column: 8 },
    ],
    [{ message: { 'pt-BR': 'Valor {amountBrl as euros}.', en: 'Amount.' } }, { path: 'message.pt-BR' }],
    [{ message: { 'pt-BR': 'Valor {amountBrl.', en: 'Amount.' } }, { path: 'message.pt-BR' }],
    [{ parameters: { 'a b': { value: 1, label: { 'pt-BR': 'a', en: 'a' } } } }, { path: 'parameters.a b' }],
    [{ parameters: { a: { value: [], label: { 'pt-BR': 'a', en: 'a' } } } }, { path: 'parameters.a' }],
    [{ parameters: { a: { value: NaN, label: { 'pt-BR': 'a', en: 'a' } } } }, { path: 'parameters.a' }],
  ])('a definition with %j', (changes, diagnostic) => {
    const result = compileRule(aRule(changes), { schema: featureSchema });
    expect(result).toMatchObject({ ok: false, diagnostics: [diagnostic] });
  });
});

describe('hostile texts', () => {
  const hostile = [
    `constructor.constructor('return process')()`,
    `''.constructor.constructor('return process')()`,
    `type.constructor.constructor("return process")().exit()`,
    `this.constructor.constructor('return process')()`,
    `__proto__.polluted == true`,
    `type.__proto__ == "x"`,
    `constructor == "x"`,
    `has(constructor)`,
    `has(__proto__)`,
    `param.constructor == 1`,
    `param.__proto__ == 1`,
    `type.constructor("x")`,
    `type.toString() == "x"`,
    `type.hasOwnProperty("x")`,
    `toString() == "x"`,
    `constructor()`,
    `hasOwnProperty("x")`,
    `valueOf() > 1`,
    `countries.constructor(c, true)`,
    `countries.map(c, c)`,
    `countries.exists(__proto__, __proto__.polluted)`,
    `require("fs").readFileSync("/etc/passwd") == "x"`,
    `process.env.SECRET == "x"`,
    `globalThis.process.exit()`,
    `import("fs")`,
    `eval("1")`,
    `Function("return 1")()`,
    `new Function("return 1")`,
    `(() => true)()`,
    `function(){ return true }`,
    `true; process.exit()`,
    '`${process.env.SECRET}`',
    `type.matches("(a+)+$")`,
    `/(a+)+$/.test(type)`,
    `type["constructor"]`,
    `amountBrl++`,
    `amountBrl = 0`,
    `delete type`,
    `true, false`,
    `\u0000 == 1`,
    `type == "\u0000"`,
    `type == "a\u2028"; true`,
    `'\\u0041' == type`,
  ];

  it.each(hostile)('%s is refused', (text) => {
    expect(checked(text).ok).toBe(false);
    expect(fromBuilder({ expr: text }).ok && checked(text).ok).toBe(false);
  });

  it('parameters, lists and sheets know nothing that they were not given', () => {
    expect(check('param.toString == 1', { schema: featureSchema, parameters: {} }).ok).toBe(false);
    const sheet = new FactSheet(featureSchema).set('type', '__proto__').set('countries', ['constructor']);
    expect(truthOf("list('__proto__').has(type)", sheet)).toBe('UNKNOWN');
  });

  it('any text at all is read without throwing', () => {
    const tokens = fc.constantFrom(
      ...[
        '&&',
        '||',
        '!',
        '==',
        '<',
        '(',
        ')',
        '[',
        ']',
        ',',
        '.',
        '?',
        ':',
        '-',
        '*',
        '/',
        ' ',
        '\n',
        '"',
        "'",
      ],
      ...['amountBrl', 'type', 'countries', 'exists', 'has', 'list', 'param', 'in', 'true', '5', '0.1', 'a'],
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.array(tokens, { maxLength: 60 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const result = checked(text);
        if (result.ok) return;
        for (const { start, end, line, column } of result.diagnostics) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(end).toBeGreaterThanOrEqual(start);
          expect(text.split('\n')[line - 1]!.length).toBeGreaterThanOrEqual(column - 1);
        }
      }),
      { numRuns: runsInPart(2_000) },
    );
  });

  it('any JSON at all is read as a condition without throwing', () => {
    const keys = fc.constantFrom('all', 'any', 'not', 'path', 'op', 'value', 'expr', '__proto__', 'x');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.jsonValue(),
        fc.constantFrom('==', 'in', 'isTrue', 'amountBrl', 'true &&'),
        fc.dictionary(keys, tie('tree'), { maxKeys: 3 }),
        fc.array(tie('tree'), { maxLength: 3 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const result = fromBuilder(value);
        expect(result.ok ? [] : result.diagnostics).not.toHaveLength(result.ok ? 1 : 0);
      }),
      { numRuns: RUNS },
    );
  });

  it('no code is made from text anywhere in the source of rules', () => {
    // ASVS 1.2.9, 1.3.2
    const folder = join(process.cwd(), 'src/features/rules');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
    );
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      const source = readFileSync(join(folder, file), 'utf8');
      // RegExp, because a pattern may only be written here, never come from a rule.
      const forbidden =
        /\beval\s*\(|\bFunction\s*\(|new\s+Function|node:vm|from 'vm'|\bRegExp\s*\(|\bimport\s*\(/;
      expect({ file, found: forbidden.exec(source)?.[0] }).toEqual({ file, found: undefined });
    }
  });

  it('the worst condition on the worst facts costs less than 50 ms of processor time', () => {
    const long = 'a'.repeat(256);
    const when = `countries.count(c, c.contains("${long.slice(1)}b") || c.digits() == "${long}" || c.endsWith("x")) > 5`;
    const found = checked(when);
    expect(found).toMatchObject({ ok: true });
    const sheet = new FactSheet(featureSchema).set(
      'countries',
      Array.from({ length: 10_000 }, () => long),
    );
    const rule = ruleOf({ when });
    // The least of a few, because the compiler and the collector of V8 work in the same process.
    const costs = Array.from({ length: 5 }, () => processorMs(() => rule.evaluate(sheet)));
    expect(Math.min(...costs)).toBeLessThan(50);
    // A list is cut where the cost was reckoned, and then it is only a lower bound.
    expect(sheet.fact('countries')).toMatchObject({ saturated: true });
  });
});

describe('a well-typed condition', () => {
  it('is the same after writing and reading, as text and as builder', () => {
    fc.assert(
      fc.property(conditions(4), (tree) => {
        const text = printExpression(tree);
        const found = accepted(text);
        expect(bare(found.ast)).toEqual(bare(tree));
        expect(printExpression(found.ast)).toBe(text);
        const builder = toBuilderNode(found.ast);
        // As it would come back from a browser.
        const back = fromBuilder(JSON.parse(JSON.stringify(builder)));
        expect(back).toMatchObject({ ok: true, text });
        if (back.ok) {
          expect(bare(back.ast)).toEqual(bare(tree));
          expect(toBuilderNode(back.ast)).toEqual(builder);
        }
      }),
      { numRuns: runsInPart(2_000) },
    );
  });

  it('says what the reference says, never throws, and takes no more steps than its cost', () => {
    let decided = 0;
    fc.assert(
      fc.property(conditions(4), factValues, (tree, values) => {
        const when = printExpression(tree);
        const found = accepted(when);
        const reference = new ReferenceInterpreter(values);
        const expected = reference.value(found.ast);
        const truth = truthOf(when, sheetOf(values));
        expect({ when, truth }).toEqual({
          when,
          truth: expected === undefined ? 'UNKNOWN' : expected === true ? 'TRUE' : 'FALSE',
        });
        expect(reference.steps).toBeLessThanOrEqual(found.cost);
        if (truth !== 'UNKNOWN') decided += 1;
      }),
      { numRuns: RUNS },
    );
    // Both kinds are common, so neither is tested by accident.
    expect(decided).toBeGreaterThan(RUNS / 4);
    expect(decided).toBeLessThan((14 * RUNS) / 15);
  });

  it('is the same on a sheet that was stored and read again', () => {
    fc.assert(
      fc.property(conditions(3), factValues, (tree, values) => {
        const when = printExpression(tree);
        accepted(when);
        const sheet = sheetOf(values);
        const truth = truthOf(when, sheet);
        // With the answers that lists gave.
        const stored = decodeFacts(encodeFacts(sheet), featureSchema).sheet;
        expect(truthOf(when, stored)).toBe(truth);
        for (const name of usedFeatures) expect(stored.fact(name)).toEqual(sheet.fact(name));
      }),
      { numRuns: runsInPart(2_000) },
    );
  });

  it('is not certain of a total to which an item that was cut off could add the unknown', () => {
    const cut = sheetOf({ 'cash.amounts5bd': [], sameHolder: null }).setCapped('cash.amounts5bd', []);
    expect(truthOf('cash.amounts5bd.count(a, sameHolder) < 0', cut)).toBe('UNKNOWN');
    expect(truthOf('cash.amounts5bd.count(a, a / 0 > 1) < 0', cut)).toBe('UNKNOWN');
    expect(truthOf('cash.amounts5bd.count(a, a > 5) < 0', cut)).toBe('FALSE');
  });

  it('is certain about lower bounds only when more would change nothing', () => {
    const capped = usedFeatures.filter((name) => featureSchema.get(name).capped);
    const isOfTexts = (name: FeatureName): boolean => featureSchema.get(name).type === 'strings';
    const more = fc.integer({ min: 1, max: 1_000_000 }).map((value) => value / 100);
    let certain = 0;
    fc.assert(
      fc.property(
        conditions(3),
        factValues,
        fc.subarray(capped, { minLength: 1 }),
        fc.array(more, { minLength: 1, maxLength: 5 }),
        (tree, values, saturated, extra) => {
          const when = printExpression(tree);
          accepted(when);
          const bound = sheetOf(values);
          const truly: Record<string, Values[string]> = { ...values };
          for (const name of saturated) {
            const value = values[name];
            if (value === null || value === undefined) continue;
            bound.setCapped(name, value);
            truly[name] = Array.isArray(value)
              ? isOfTexts(name)
                ? [...(value as string[]), ...extra.map(String)]
                : [...(value as number[]), ...extra]
              : Number(value) + extra[0]!;
          }
          const truth = truthOf(when, bound);
          if (truth === 'UNKNOWN') return;
          certain += 1;
          expect({ when, truth }).toEqual({ when, truth: truthOf(when, sheetOf(truly)) });
        },
      ),
      { numRuns: RUNS },
    );
    expect(certain).toBeGreaterThan(RUNS / 6);
  });
});

describe('the builder', () => {
  it.each([
    ['amountBrl > 1000.01', { path: 'amountBrl', op: '>', value: 1000.01 }],
    ['sameHolder', { path: 'sameHolder', op: 'isTrue' }],
    ['has(origin.country)', { path: 'origin.country', op: 'has' }],
    ['type in ["A", "B"]', { path: 'type', op: 'in', value: ['A', 'B'] }],
    ['amountBrl >= param.limit', { path: 'amountBrl', op: '>=', value: { param: 'limit' } }],
    [
      'origin.country != destination.country',
      { path: 'origin.country', op: '!=', value: { path: 'destination.country' } },
    ],
    ['list("x").has(type)', { path: 'type', op: 'inList', value: 'x' }],
    ['amountBrl.isRound(1000)', { path: 'amountBrl', op: 'isRound', value: 1000 }],
    [
      'sameHolder && !(type == "A" || type.startsWith("B"))',
      {
        all: [
          { path: 'sameHolder', op: 'isTrue' },
          {
            not: {
              any: [
                { path: 'type', op: '==', value: 'A' },
                { path: 'type', op: 'startsWith', value: 'B' },
              ],
            },
          },
        ],
      },
    ],
    ['outgoing.sum24h >= 0.8 * incoming.sum24h', { expr: 'outgoing.sum24h >= 0.8 * incoming.sum24h' }],
    ['countries.exists(c, c == "KP")', { expr: 'countries.exists(c, c == "KP")' }],
  ])('%s', (text, builder) => {
    const result = check(text, { schema: featureSchema, parameters: { limit: 5 } });
    if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
    expect(toBuilderNode(result.ast)).toEqual(builder);
    expect(fromBuilder(builder)).toMatchObject({ ok: true, text });
  });

  it('keeps groups as they are, and takes a group of one for the one', () => {
    const nested = {
      all: [{ all: [{ path: 'sameHolder', op: 'isTrue' }, { expr: 'true' }] }, { expr: 'false' }],
    };
    expect(fromBuilder(nested)).toMatchObject({ ok: true, text: '(sameHolder && true) && false' });
    expect(fromBuilder({ any: [{ path: 'sameHolder', op: 'isTrue' }] })).toMatchObject({
      text: 'sameHolder',
    });
  });

  it.each([
    [{}, ''],
    [null, ''],
    [{ all: [] }, '/all'],
    [{ all: [{ path: 'x', op: '==', value: null }] }, '/all/0/value'],
    [{ any: [{ not: { path: 'x', op: 'matches', value: 'a+' } }] }, '/any/0/not/op'],
    [{ path: 'x y', op: 'isTrue' }, '/path'],
    [{ path: 'x', op: 'in', value: [] }, '/value'],
    [{ path: 'x', op: '==', value: { path: 'a', param: 'b' } }, '/value'],
    [{ expr: 'a &&' }, '/expr'],
    [{ expr: 5 }, '/expr'],
    [{ path: 'x', op: '==', value: 1, extra: true }, ''],
  ])('refuses %j and says where', (value, path) => {
    expect(fromBuilder(value)).toMatchObject({ ok: false, diagnostics: [{ path }] });
  });
});

describe('explanations', () => {
  const limit = { value: 1000, unit: 'BRL', label: { 'pt-BR': 'limite', en: 'limit' } } as const;

  it('say of each comparison how it came out, on what', () => {
    const rule = ruleOf({
      when: '(amountBrl + 1) > param.limit && (origin.country == "KP" || !sameHolder) && profile.monthlyIncome > 5',
      parameters: { limit },
    });
    const sheet = new FactSheet(featureSchema)
      .set('amountBrl', 1000)
      .set('sameHolder', false)
      .setUnknown('origin.country', 'MISSING', 'NOT_GIVEN')
      .setUnknown('profile.monthlyIncome', 'ERROR', 'PROVIDER_FAILED');
    const { verdict, explanation } = rule.evaluate(sheet);
    expect(verdict).toBe('INDETERMINATE');
    expect(explanation!.leaves).toEqual([
      {
        expr: '(amountBrl + 1) > param.limit',
        result: 'TRUE',
        values: { amountBrl: 1000, 'param.limit': 1000 },
        unknown: {},
        saturated: [],
      },
      {
        expr: 'origin.country == "KP"',
        result: 'UNKNOWN',
        values: {},
        unknown: { 'origin.country': { state: 'MISSING', reason: 'NOT_GIVEN' } },
        saturated: [],
      },
      { expr: 'sameHolder', result: 'FALSE', values: { sameHolder: false }, unknown: {}, saturated: [] },
      {
        expr: 'profile.monthlyIncome > 5',
        result: 'UNKNOWN',
        values: {},
        unknown: { 'profile.monthlyIncome': { state: 'ERROR', reason: 'PROVIDER_FAILED' } },
        saturated: [],
      },
    ]);
  });

  it('mask what is personal, in values and in words', () => {
    const personal = featureSchema.features.filter((feature) => feature.personal);
    expect(personal.map((feature) => feature.name)).toEqual(
      expect.arrayContaining([
        'origin.name',
        'customer.document',
        'ip.address',
        'device.id',
        'destination.account',
      ]),
    );
    for (const feature of personal) {
      const { name, type } = feature;
      expect(type).toBe('string');
      const rule = ruleOf({
        when: `${name}.contains("Silva")`,
        message: { 'pt-BR': `{${name}} {${name}.digits()}`, en: `{${name}} {["x"]}` },
      });
      const sheet = new FactSheet(featureSchema).setAt(feature, 'Maria Silva 52998224725');
      const result = rule.evaluate(sheet);
      expect(result.explanation!.leaves[0]!.values).toEqual({ [name]: '***' });
      const words = `${JSON.stringify(result)} ${rule.message(sheet, 'pt-BR')} ${rule.message(sheet, 'en')}`;
      expect(words).not.toMatch(/Maria|52998224725/);
    }
  });

  it('show the newest of a long list, and say what is a lower bound', () => {
    const sheet = new FactSheet(featureSchema).setCapped(
      'activity.amounts7d',
      Array.from({ length: 200 }, (_, i) => i),
    );
    const rule = ruleOf({
      when: 'activity.amounts7d.count(a, a >= 0) >= 5',
      message: { 'pt-BR': '{activity.sum7d}', en: '{activity.sum7d}' },
    });
    const [leaf] = rule.evaluate(sheet).explanation!.leaves;
    expect(leaf).toMatchObject({ result: 'TRUE', saturated: ['activity.amounts7d'] });
    expect(leaf!.values['activity.amounts7d']).toHaveLength(20);
    sheet.setCapped('activity.sum7d', 1234.5);
    expect(rule.message(sheet, 'pt-BR')).toBe('≥ R$ 1.234,50');
    expect(rule.message(new FactSheet(featureSchema), 'en')).toBe('unknown');
  });
});

describe('facts', () => {
  it('of a source that throws, or that has the wrong type, are errors', () => {
    const sheet = new FactSheet(featureSchema, {
      has: () => {
        throw new Error('the index is not ready');
      },
    });
    sheet.setFrom('amountBrl', () => {
      throw new Error('52998224725');
    });
    sheet.setFrom('type', () => 5);
    sheet.set('activity.amounts7d', [1, NaN]);
    sheet.set('outgoing.sum24h', Infinity);
    expect(sheet.fact('amountBrl')).toEqual({ state: 'ERROR', reason: 'FEATURE_FAILED' });
    for (const name of ['type', 'activity.amounts7d', 'outgoing.sum24h'] as const) {
      expect(sheet.fact(name)).toEqual({ state: 'ERROR', reason: 'WRONG_TYPE' });
    }
    expect(truthOf('amountBrl > 5 || list("x").has("y")', sheet)).toBe('UNKNOWN');
  });

  it('may be set again, and then the last counts', () => {
    const sheet = new FactSheet(featureSchema).setCapped('outgoing.sum24h', 5).set('outgoing.sum24h', 6);
    expect(sheet.fact('outgoing.sum24h')).toEqual({ state: 'KNOWN', value: 6, saturated: false });
    sheet.setUnknown('outgoing.sum24h', 'STALE', 'OLD').setUnknown('outgoing.sum24h', 'MISSING', 'NONE');
    expect(sheet.fact('outgoing.sum24h')).toEqual({ state: 'MISSING', reason: 'NONE' });
    // @ts-expect-error -- a misspelt name does not compile
    expect(() => sheet.set('no.such', 5)).toThrow('no.such');
  });
});

describe('rules together', () => {
  it('find what each of them finds alone', () => {
    const [in1, out, any, brl] = [
      { types: ['*'], channels: ['*'], currencies: ['*'], directions: ['IN'] },
      { types: ['PIX_*', 'BRL'], channels: ['*'], currencies: ['*'], directions: ['OUT'] },
      { types: ['*'], channels: ['*'], currencies: ['*'], directions: ['IN', 'OUT'] },
      { types: ['PIX_TRANSFER'], channels: ['*'], currencies: ['BRL'], directions: ['IN', 'OUT'] },
    ] as const;
    const appliesTo = fc.constantFrom(in1, out, any, brl);
    const direction = fc.option(fc.constantFrom('IN', 'OUT'));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(conditions(2), appliesTo), { minLength: 1, maxLength: 5 }),
        fc.array(fc.tuple(factValues, direction), { minLength: 1, maxLength: 3 }),
        (drafts, transactions) => {
          const rules = drafts.map(([tree, to], i) => {
            const when = printExpression(tree);
            const { lists } = accepted(when);
            return ruleOf({ key: `T-${i}`, when, lists, appliesTo: to });
          });
          const program = new RuleProgram(rules, featureSchema);
          for (const [values, way] of transactions) {
            const sheet = sheetOf(values);
            if (way !== null) sheet.set('direction', way);
            const alone = rules
              .map((rule, index) => ({ index, rule, result: rule.evaluate(sheet) }))
              .filter(({ result }) => result.verdict !== 'NO_HIT');
            expect(program.evaluate(sheet)).toEqual(alone);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('a rule that breaks down is indeterminate, and its neighbours are judged', () => {
    const broken: CompiledRule = {
      ...ruleOf({}),
      parts: {
        ...ruleOf({}).parts,
        condition: { exact: fail, careful: fail, leaves: [] },
      },
    };
    const [first, second] = new RuleProgram([broken, ruleOf({})], featureSchema).evaluate(
      new FactSheet(featureSchema),
    );
    expect(first!.result).toMatchObject({ verdict: 'INDETERMINATE', failed: true, points: 0 });
    expect(second!.result).toMatchObject({ verdict: 'HIT', failed: false });
  });
});

function fail(): never {
  throw new Error('a fault of ours');
}

describe('a rule', () => {
  it('looks only at what it applies to', () => {
    const rule = ruleOf({
      appliesTo: {
        types: ['PIX_*', 'TED_TRANSFER'],
        channels: ['*'],
        currencies: ['BRL'],
        directions: ['OUT'],
      },
    });
    const facts = { type: 'PIX_TRANSFER', currency: 'BRL', direction: 'OUT' };
    const verdictOf = (changes: Partial<typeof facts>): string =>
      rule.evaluate(
        Object.entries({ ...facts, ...changes }).reduce(
          (sheet, [name, value]) => sheet.set(name as FeatureName, value),
          new FactSheet(featureSchema),
        ),
      ).verdict;
    expect(verdictOf({})).toBe('HIT');
    expect(verdictOf({ type: 'TED_TRANSFER' })).toBe('HIT');
    expect(verdictOf({ type: 'TED_TRANSFER_2' })).toBe('NO_HIT');
    expect(verdictOf({ type: 'PIX' })).toBe('NO_HIT');
    expect(verdictOf({ currency: 'EUR' })).toBe('NO_HIT');
    expect(verdictOf({ direction: 'IN' })).toBe('NO_HIT');
  });

  it('is pinned by a hash over all that it says', () => {
    const { compiled } = ruleOf({ when: 'amountBrl > 5' });
    expect(compiled).toMatchObject({
      dialect: 'vigia-rules/1',
      schemaVersion: 1,
      features: ['amountBrl'],
      cost: 2,
    });
    expect(compiled.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(ruleOf({ when: 'amountBrl > 5' }).compiled.sha256).toBe(compiled.sha256);
    expect(ruleOf({ when: 'amountBrl > 6' }).compiled.sha256).not.toBe(compiled.sha256);
    expect(ruleOf({ when: 'amountBrl > 5', version: 2 }).compiled.sha256).not.toBe(compiled.sha256);
  });
});

describe('in plain words', () => {
  const parameters = {
    limit: { value: 1000, unit: 'BRL', label: { 'pt-BR': 'limite noturno', en: 'night limit' } },
  } as const;
  const said = (text: string, language: 'pt-BR' | 'en'): string => {
    const result = check(text, { schema: featureSchema, parameters: { limit: 1000 } });
    if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
    return printPlainLanguage(result.ast, language, { schema: featureSchema, parameters });
  };

  it.each([
    [
      'amountBrl > param.limit && !counterparty.seenBefore',
      'o valor em reais é maior que R$ 1.000,00 (limite noturno) e não é verdade que a contraparte já é conhecida do cliente',
      'the amount in reais is more than BRL 1,000.00 (night limit) and it is not true that the customer has dealt with the counterparty before',
    ],
    [
      'incoming.sum24h >= 5000 && outgoing.sum24h >= 0.8 * incoming.sum24h',
      'o total de entradas em 24 horas é pelo menos R$ 5.000,00 e o total de saídas em 24 horas é pelo menos 0,8 vezes o total de entradas em 24 horas',
      'the incoming sum of 24 hours is at least BRL 5,000.00 and the outgoing sum of 24 hours is at least 0.8 times the incoming sum of 24 hours',
    ],
    [
      'cash.amounts5bd.count(a, a < 50000) >= 2 || (sameHolder && list("x").has(type))',
      'a quantidade de itens entre os valores em espécie em 5 dias úteis tais que o item é menor que R$ 50.000,00 é pelo menos 2 ou (origem e destino são do mesmo titular e o tipo da transação consta na lista “x”)',
      'the number of items among the cash amounts of 5 business days such that the item is less than BRL 50,000.00 is at least 2 or (both sides have the same holder and the transaction type is on the list “x”)',
    ],
    [
      'type in ["A", "B"] && has(origin.country)',
      'o tipo da transação é um destes: “A”, “B” e há informação sobre o país da origem',
      'the transaction type is one of: “A”, “B” and something is known about the country of the origin',
    ],
  ])('%s', (text, portuguese, english) => {
    expect(said(text, 'pt-BR')).toBe(portuguese);
    expect(said(text, 'en')).toBe(english);
  });

  it('every condition can be said', () => {
    fc.assert(
      fc.property(conditions(4), (tree) => {
        for (const language of ['pt-BR', 'en'] as const) {
          expect(printPlainLanguage(tree, language, { schema: featureSchema })).not.toMatch(
            /undefined|null|NaN|\[object/,
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  it('every feature has a name in both languages, and no two share one', () => {
    for (const language of ['pt-BR', 'en'] as const) {
      const labels = featureSchema.features.map((feature) => feature.label[language]);
      expect(new Set(labels).size).toBe(labels.length);
    }
  });
});
