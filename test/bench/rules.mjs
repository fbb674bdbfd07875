/**
 * `npm run bench -- rules`: the rules of br-starter with explanation, on one core, beside two other engines on the
 * same rules and the same transactions. Options: --quick, --assert.
 */
import { Environment } from '@marcbachmann/cel-js';
import { Engine } from 'json-rules-engine';
import { brStarter } from '../../dist/src/features/rules/data/br-starter/index.js';
import { shippedLists } from '../../dist/src/features/rules/data/country-lists.js';
import { decodeFacts, encodeFacts } from '../../dist/src/features/rules/domain/snapshot/snapshot-codec.js';
import { compileCondition } from '../../dist/src/features/rules/language/compile/compiler.js';
import {
  compileRule,
  FactSheet,
  featureSchema,
  RuleProgram,
} from '../../dist/src/features/rules/language/index.js';
import { parse } from '../../dist/src/features/rules/language/syntax/parser.js';

const TARGET = 150_000;
const CORPUS = 1_000;
const lists = shippedLists();

// ---------- the transactions ----------

/** The same transactions in every run (mulberry32). */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function corpusOf(size) {
  const random = randomOf(20_261_120);
  const chance = (share) => random() < share;
  const pick = (...of) => of[Math.floor(random() * of.length)];
  const amount = (typical) => Math.round(typical * Math.exp(random() * 4 - 2) * 100) / 100;
  const whole = (most) => Math.floor(random() * random() * (most + 1));
  const amounts = (most, typical) => Array.from({ length: 1 + whole(most) }, () => amount(typical));
  const sum = (of) => Math.round(of.reduce((total, one) => total + one, 0) * 100) / 100;
  return Array.from({ length: size }, (_, i) => {
    const type = pick(
      ...['PIX_TRANSFER', 'PIX_TRANSFER', 'PIX_TRANSFER', 'PIX_PAYMENT', 'PIX_TRANSFER', 'TED_TRANSFER'],
      ...[
        'CARD_PURCHASE',
        'CARD_PURCHASE',
        'BOLETO_PAYMENT',
        'ACCOUNT_CREDIT',
        'CASH_DEPOSIT',
        'FX_OUTBOUND',
      ],
    );
    const direction = type === 'ACCOUNT_CREDIT' || type === 'CASH_DEPOSIT' || chance(0.2) ? 'IN' : 'OUT';
    const abroad = type === 'FX_OUTBOUND';
    const own = amount(chance(0.1) ? 6_000 : 250);
    const out = direction === 'OUT' ? [own, ...amounts(6, 200)] : amounts(6, 200);
    const week = [own, ...amounts(12, 250)];
    const natural = chance(0.8);
    // Not every caller sends everything: then rules say that they cannot tell.
    const [hasDevice, hasDict, hasProfile] = [chance(0.9), chance(0.8), chance(0.95)];
    return {
      type,
      channel: pick('MOBILE_APP', 'WEB', 'API'),
      currency: 'BRL',
      amount: own,
      amountBrl: own,
      amountUsd: Math.round((own / 5.4) * 100) / 100,
      occurredAt: Date.UTC(2026, 10, 1 + whole(27), Math.floor(random() * 24), Math.floor(random() * 60)),
      direction,
      directionAssumed: false,
      sameHolder: chance(0.05),
      countries: abroad ? ['BR', pick('US', 'PT', 'AR', 'PA', 'AE')] : [],
      crossBorder: abroad,
      'customer.personType': natural ? 'NATURAL' : 'LEGAL',
      ...Object.fromEntries(
        ['origin', 'destination'].flatMap((side) => [
          [`${side}.nameGiven`, chance(0.95)],
          [`${side}.documentGiven`, chance(0.9)],
          [`${side}.accountGiven`, chance(0.95)],
          [`${side}.addressGiven`, chance(0.1)],
          [`${side}.birthDateGiven`, chance(0.1)],
        ]),
      ),
      'outgoing.count1h': whole(4),
      'outgoing.count24h': out.length,
      'outgoing.sum24h': sum(out),
      'outgoing.amounts24h': out,
      'outgoing.beneficiaries24h': 1 + whole(out.length - 1),
      'outgoing.dailyMean30d': amount(300),
      'outgoing.p95Amount30d': amount(900),
      'incoming.count24h': whole(4),
      'incoming.sum24h': chance(0.7) ? 0 : amount(600),
      'incoming.sum7d': amount(2_000),
      'incoming.sum30d': amount(5_000),
      'incoming.payers24h': whole(4),
      'incoming.payers7d': whole(12),
      'activity.sum7d': sum(week),
      'activity.amounts7d': week,
      'activity.longestGapDays7d': whole(9),
      'activity.count90d': whole(200),
      'activity.mean90d': amount(250),
      'activity.sd90d': amount(200),
      'activity.max90d': amount(3_000),
      'activity.historyDays': whole(900),
      'pair.amounts24h': [own],
      'cash.amounts5bd': type === 'CASH_DEPOSIT' ? amounts(4, 3_000) : [],
      'card.amounts10m': type === 'CARD_PURCHASE' ? amounts(2, 90) : [],
      'counterparty.seenBefore': chance(0.8),
      'device.registered': hasDevice ? chance(0.95) : null,
      'device.pixOutSumDay': hasDevice ? amount(300) : null,
      'device.customers24h': hasDevice ? 1 + whole(1) : null,
      'ip.customers24h': 1 + whole(2),
      'ip.address': `203.0.113.${i % 250}`,
      'dict.confirmedFrauds30d': hasDict ? Number(chance(0.003)) : null,
      'dict.reportedFrauds30d': hasDict ? whole(1) : null,
      'profile.monthlyIncome': hasProfile && natural ? amount(4_000) : null,
      'profile.monthlyRevenue': hasProfile && !natural ? amount(40_000) : null,
      'sanctions.documentMatch': false,
      'sanctions.nameScore': Math.round(random() * 70) / 100,
      'sanctions.lists': [],
      'pep.documentMatch': chance(0.005),
      'pep.nameScore': 0.9,
      'pep.active': true,
      'blocklist.matches': chance(0.002) ? ['DEVICE'] : [],
      'debarment.documentMatch': chance(0.005),
    };
  });
}

/** Facts that the transactions do not have: looked for, and not there. */
const ABSENT = [
  'card.declines10m',
  'profile.nightLimit',
  'profile.nightStartHour',
  'wallet.custody',
  'wallet.ownerVerified',
];

export function sheetOf(values) {
  const sheet = new FactSheet(featureSchema, lists);
  for (const [name, value] of Object.entries(values)) {
    if (value === null) sheet.setUnknown(name, 'MISSING', 'NOT_DECLARED');
    else sheet.set(name, value);
  }
  for (const name of ABSENT) sheet.setUnknown(name, 'MISSING', 'NOT_GIVEN');
  return sheet;
}

// ---------- Vigia ----------

const program = new RuleProgram(
  brStarter.rules.map((definition) => {
    const result = compileRule(definition, { schema: featureSchema });
    if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
    return result.rule;
  }),
  featureSchema,
);

/** All verdicts of a transaction, explained where they are not NO_HIT. */
const evaluate = (sheet) => program.evaluate(sheet);

// ---------- the others ----------

const valuesOf = (parameters) =>
  Object.fromEntries(Object.entries(parameters).map(([name, { value }]) => [name, value]));
const flat = (name) => name.replaceAll('.', '_');

/** Our tree in standard CEL, with functions of ours for what CEL does not have. */
function celOf(node, parameters, variable = null) {
  const of = (part, inner = variable) => celOf(part, parameters, inner);
  const literal = (value) =>
    Array.isArray(value)
      ? `[${value.map(literal).join(', ')}]`
      : typeof value === 'number' && Number.isInteger(value)
        ? `${value}.0`
        : JSON.stringify(value);
  switch (node.kind) {
    case 'number':
    case 'string':
    case 'bool':
      return literal(node.value);
    case 'list':
      return `[${node.items.map((item) => of(item)).join(', ')}]`;
    case 'param':
      return literal(parameters[node.name]);
    case 'path':
      return node.name === variable ? node.name : `f.${flat(node.name)}`;
    case 'not':
      return `!(${of(node.operand)})`;
    case 'negate':
      return `-(${of(node.operand)})`;
    case 'and':
    case 'or':
      return `(${node.items.map((item) => of(item)).join(node.kind === 'and' ? ' && ' : ' || ')})`;
    case 'compare':
    case 'arithmetic':
      return `(${of(node.left)} ${node.op} ${of(node.right)})`;
    case 'in':
      return `(${of(node.left)} in ${of(node.right)})`;
    case 'conditional':
      return `(${of(node.test)} ? ${of(node.then)} : ${of(node.otherwise)})`;
    case 'lookup':
      return `inList(${JSON.stringify(node.list)}, ${of(node.value)})`;
    case 'call':
      if (node.name === 'has') return `has(f.${flat(node.args[0].name)})`;
      return `${node.name}(${[node.receiver, ...node.args].map((arg) => of(arg)).join(', ')})`;
    case 'quantifier': {
      const body = of(node.body, node.variable);
      if (node.name === 'exists' || node.name === 'all')
        return `${of(node.list)}.${node.name}(${node.variable}, ${body})`;
      return `${node.name}Of(${of(node.list)}.filter(${node.variable}, ${body}))`;
    }
    default:
      throw new Error(`no CEL for ${node.kind}`);
  }
}

/** Brazil has had no daylight saving time since 2019. */
const localHour = (time) => Math.floor(time / 3_600_000 - 3) % 24;

function celEngine() {
  const environment = new Environment({ unlistedVariablesAreDyn: true })
    .registerFunction('localHour(dyn, string): double', (time) => localHour(time))
    .registerFunction('isRound(dyn, double): bool', (value, step) => Number.isInteger(value / step))
    .registerFunction('inList(string, dyn): bool', (list, value) => lists.has(list, value) === true)
    .registerFunction('countOf(list): double', (items) => items.length)
    .registerFunction('sumOf(list): double', (items) => items.reduce((total, item) => total + item, 0));
  const compiled = brStarter.rules.map((rule) => ({
    applies: appliesTo(rule),
    run: environment.parse(celOf(parse(rule.when), valuesOf(rule.parameters))),
  }));
  return (values, context) => {
    let hits = 0;
    for (const { applies, run } of compiled) {
      if (!applies(values)) continue;
      try {
        if (run(context)) hits += 1;
      } catch {
        // A field that is not there: CEL has no third truth value.
      }
    }
    return hits;
  };
}

function appliesTo({ appliesTo: { types, directions } }) {
  const fits = (type) =>
    types.some(
      (pattern) => pattern === type || (pattern.endsWith('*') && type.startsWith(pattern.slice(0, -1))),
    );
  return ({ type, direction }) => fits(type) && directions.includes(direction);
}

/**
 * Conditions of a field and a constant are theirs. What json-rules-engine cannot say (arithmetic, quantifiers, lists) is
 * a computed fact that it gets ready made, which is less work for it.
 */
function jsonRulesEngine() {
  const OPERATORS = {
    '==': 'equal',
    '!=': 'notEqual',
    '<': 'lessThan',
    '<=': 'lessThanInclusive',
    '>': 'greaterThan',
    '>=': 'greaterThanInclusive',
  };
  const engine = new Engine([], { allowUndefinedFacts: true });
  engine.addOperator('fits', (type, patterns) =>
    appliesTo({ appliesTo: { types: patterns, directions: ['-'] } })({ type, direction: '-' }),
  );
  let computed = 0;
  const conditionOf = (node, parameters) => {
    switch (node.kind) {
      case 'and':
        return { all: node.items.map((item) => conditionOf(item, parameters)) };
      case 'or':
        return { any: node.items.map((item) => conditionOf(item, parameters)) };
      case 'not':
        return { not: conditionOf(node.operand, parameters) };
      case 'path':
        return { fact: node.name, operator: 'equal', value: true };
      case 'compare': {
        const { left, right } = node;
        const value = right.kind === 'param' ? parameters[right.name] : right.value;
        if (left.kind === 'path' && value !== undefined)
          return { fact: left.name, operator: OPERATORS[node.op], value };
        break;
      }
      default:
    }
    const name = `computed-${computed++}`;
    const run = compileCondition(node, { schema: featureSchema, parameters, minding: 'EXACT' });
    engine.addFact(name, async (_, almanac) => run(await almanac.factValue('sheet')) === 1, { cache: false });
    return { fact: name, operator: 'equal', value: true };
  };
  for (const rule of brStarter.rules) {
    const { types, directions } = rule.appliesTo;
    engine.addRule({
      conditions: {
        all: [
          ...(types.includes('*') ? [] : [{ fact: 'type', operator: 'fits', value: types, priority: 10 }]),
          ...(directions.length > 1
            ? []
            : [{ fact: 'direction', operator: 'in', value: directions, priority: 10 }]),
          conditionOf(parse(rule.when), valuesOf(rule.parameters)),
        ],
      },
      event: { type: rule.key },
    });
  }
  return async (values, sheet) => (await engine.run({ ...values, sheet })).events.length;
}

// ---------- measuring ----------

/**
 * Transactions per second of CPU time, after a warm-up: what one core does, whoever else uses the machine. Threads of the
 * garbage collector count as well. `work` does the transaction at an index.
 */
async function speedOf(seconds, work) {
  const through = async (untilMs, chunk) => {
    let done = 0;
    const before = process.cpuUsage();
    const started = performance.now();
    while (performance.now() - started < untilMs) {
      for (let i = 0; i < chunk; i += 1) await work((done + i) % CORPUS);
      done += chunk;
    }
    const { user, system } = process.cpuUsage(before);
    return (done * 1e6) / (user + system);
  };
  await through(500 * seconds, 50);
  return through(1_000 * seconds, 50);
}

/** The same without promises, for what has none. */
function syncSpeedOf(seconds, work) {
  const through = (untilMs) => {
    let done = 0;
    const before = process.cpuUsage();
    const started = performance.now();
    while (performance.now() - started < untilMs) {
      for (let i = 0; i < CORPUS; i += 1) work(i);
      done += CORPUS;
    }
    const { user, system } = process.cpuUsage(before);
    return (done * 1e6) / (user + system);
  };
  through(500 * seconds);
  return through(1_000 * seconds);
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const whole = (value) => Math.round(value).toLocaleString('en-US');

export async function rulesBench(argv) {
  const [quick, assert] = ['--quick', '--assert'].map((option) => argv.includes(option));
  const seconds = quick ? 1 : 2;
  const rounds = quick ? 3 : 5;
  const corpus = corpusOf(CORPUS);
  const sheets = corpus.map(sheetOf);
  const stored = sheets.map((sheet) => {
    evaluate(sheet); // Lists answer while rules are evaluated; stored facts hold their answers.
    return encodeFacts(sheet);
  });
  const plain = corpus.map((values) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)),
  );
  const contexts = plain.map((values) => ({
    f: Object.fromEntries(Object.entries(values).map(([name, value]) => [flat(name), value])),
  }));
  const cel = celEngine();
  const jsonRules = jsonRulesEngine();

  let found = 0;
  let explained = 0;
  let indeterminate = 0;
  for (const sheet of sheets) {
    const results = evaluate(sheet).map(({ result }) => result);
    explained += results.length > 0 ? 1 : 0;
    found += results.filter((result) => result.verdict === 'HIT').length;
    indeterminate += results.filter((result) => result.verdict === 'INDETERMINATE').length;
  }
  const celHits = corpus.reduce((total, values, i) => total + cel(values, contexts[i]), 0);
  let jsonHits = 0;
  for (const [i, values] of plain.entries()) jsonHits += await jsonRules(values, sheets[i]);

  const figures = { vigia: [], stored: [], cel: [], jsonRules: [] };
  for (let round = 0; round < rounds; round += 1) {
    figures.vigia.push(syncSpeedOf(seconds, (i) => evaluate(sheets[i])));
    figures.stored.push(syncSpeedOf(seconds, (i) => evaluate(decodeFacts(stored[i], featureSchema).sheet)));
    figures.cel.push(syncSpeedOf(seconds, (i) => cel(corpus[i], contexts[i])));
    figures.jsonRules.push(await speedOf(seconds, (i) => jsonRules(plain[i], sheets[i])));
  }
  const of = Object.fromEntries(Object.entries(figures).map(([name, values]) => [name, median(values)]));
  const row = (title, value, note) =>
    `| ${title} | ${whole(value)} | ${(of.vigia / value).toFixed(value === of.vigia ? 0 : 1)}x | ${note} |`;
  process.stdout.write(
    `${[
      `The rules of br-starter on ${whole(CORPUS)} transactions, per second of CPU, median of ${rounds} rounds of ${seconds} s.`,
      `${whole(explained)} of them have a hit or an indeterminate rule: ${found} hits, ${indeterminate} indeterminate.`,
      '',
      '| engine | transactions/s of one core | Vigia is | |',
      '|---|---|---|---|',
      row(
        'Vigia, explained',
        of.vigia,
        'three-valued, each hit and indeterminate rule with all its comparisons',
      ),
      row('Vigia, from stored facts', of.stored, 'the bytes are read first, as a back-test does'),
      row('@marcbachmann/cel-js', of.cel, `no third truth value, no explanation; ${celHits} hits`),
      row('json-rules-engine', of.jsonRules, `takes what is missing for false; ${jsonHits} hits`),
      '',
      `target: ${whole(TARGET)}/s: ${of.vigia >= TARGET ? 'met' : 'missed'}`,
    ].join('\n')}\n`,
  );
  if (assert && of.vigia < TARGET) process.exitCode = 1;
}
