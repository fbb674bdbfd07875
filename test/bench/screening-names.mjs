/**
 * `npm run bench -- screening-names [--pairs FILE] [--lists DIR] [--seed N] [--count 200] [--ablate] [--wrong FAMILY] [--held]`: how
 * well names are told apart, without fooling ourselves. The labelled pairs are split by group (pairs that share a name are
 * one group); the threshold of each fold is chosen on the other folds. The generated families are true by construction.
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { asOrganisation, evasions, harmless, pairsOf } from './screening/families.mjs';
import { brazilianPairs } from './screening/brazil.mjs';
import { seeded } from './screening/names.mjs';

const FOLDS = 5;
const THRESHOLDS = Array.from({ length: 36 }, (_, i) => 0.6 + i / 100);
const kinds = {
  Person: 'PERSON',
  Company: 'ORGANISATION',
  Organization: 'ORGANISATION',
  Vessel: 'OTHER',
  Airplane: 'OTHER',
};
const say = (text = '') => process.stdout.write(`${text}\n`);
const shown = (value) => value.toFixed(3);

export function counted(scored, threshold) {
  let [right, wrong, missed] = [0, 0, 0];
  for (const { score, match } of scored) {
    if (score >= threshold && match) right += 1;
    else if (score >= threshold) wrong += 1;
    else if (match) missed += 1;
  }
  return { right, wrong, missed };
}

const f1Of = ({ right, wrong, missed }) => (right === 0 ? 0 : (2 * right) / (2 * right + wrong + missed));
const sum = (one, two) => ({
  right: one.right + two.right,
  wrong: one.wrong + two.wrong,
  missed: one.missed + two.missed,
});

/** Numbers the groups of pairs that share a name, however long the chain. */
function groupsOf(pairs) {
  const parent = new Map();
  const root = (name) => {
    let at = name;
    while (parent.has(at)) at = parent.get(at);
    return at;
  };
  for (const { one, two } of pairs) {
    const [a, b] = [root(one.toLowerCase()), root(two.toLowerCase())];
    if (a !== b) parent.set(a, b);
  }
  const numbers = new Map();
  return pairs.map(({ one }) => {
    const name = root(one.toLowerCase());
    if (!numbers.has(name)) numbers.set(name, numbers.size);
    return numbers.get(name);
  });
}

/** Each fold judged at the threshold that the others chose. */
function crossValidated(scored, groups) {
  let all = { right: 0, wrong: 0, missed: 0 };
  const folds = [];
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const training = scored.filter((_, i) => groups[i] % FOLDS !== fold);
    const held = scored.filter((_, i) => groups[i] % FOLDS === fold);
    const f1s = THRESHOLDS.map((threshold) => f1Of(counted(training, threshold)));
    const best = Math.max(...f1s);
    // The middle of what is equally good holds best on what was not seen.
    const good = THRESHOLDS.filter((_, i) => f1s[i] >= best - 1e-9);
    const threshold = good[Math.floor(good.length / 2)];
    const found = counted(held, threshold);
    folds.push({ threshold, f1: f1Of(found), pairs: held.length });
    all = sum(all, found);
  }
  return { f1: f1Of(all), folds };
}

async function labelled(file, { readCsvRecords, decodeText }) {
  const rows = [];
  for await (const record of readCsvRecords(decodeText(fs.createReadStream(file)), ',')) {
    if ('value' in record) rows.push(record.value);
  }
  const [header, ...records] = rows;
  const at = (name) => header.indexOf(name);
  return records.map((row) => ({
    one: row[at('name1')],
    two: row[at('name2')],
    kind: kinds[row[at('schema')]] ?? 'UNKNOWN',
    match: row[at('is_match')] === 'true',
  }));
}

const curve = (scored) =>
  [0.7, 0.75, 0.8, 0.85, 0.9]
    .map((threshold) => `${shown(f1Of(counted(scored, threshold)))} at ${threshold}`)
    .join(', ');

function familyTable(scored, threshold) {
  const byFamily = new Map();
  for (const one of scored) byFamily.set(one.family, [...(byFamily.get(one.family) ?? []), one]);
  say(
    `\n  family                                     pairs  same  right at ${threshold - 0.1}  ${threshold}  ${threshold + 0.05}`,
  );
  for (const [family, pairs] of byFamily) {
    const right = (at) => pairs.filter(({ score, match }) => score >= at === match).length / pairs.length;
    const columns = [threshold - 0.1, threshold, threshold + 0.05].map((at) => shown(right(at)));
    say(
      `  ${family.padEnd(42)} ${String(pairs.length).padStart(5)}  ${pairs[0].match ? 'yes ' : 'no  '}  ${columns.join('  ')}`,
    );
  }
}

async function againstLists(directory, { readEntries, IndexBuilder, NameSearch, parseNameQuery }, threshold) {
  const at = (name) => path.join(directory, name);
  const builder = new IndexBuilder();
  const targets = [];
  let entry = 0;
  for (const [format, files] of [
    ['OFAC_SDN_CSV', { main: at('ofac-sdn.csv'), aliases: at('ofac-alt.csv') }],
    ['UN_XML', { main: at('un-consolidated.xml') }],
  ]) {
    if (!fs.existsSync(files.main)) continue;
    const open = Object.fromEntries(
      Object.entries(files).map(([part, file]) => [part, fs.createReadStream(file)]),
    );
    for await (const read of readEntries(format, open)) {
      if (!('value' in read)) continue;
      for (const name of read.value.names) {
        builder.add(name, read.value.kind, entry);
        if (read.value.kind === 'PERSON' && name.split(/\s+/).length > 1) targets.push({ name, entry });
      }
      entry += 1;
    }
  }
  const search = new NameSearch(builder.build());
  const find = (name, least, kind = 'PERSON') =>
    [...search.search(parseNameQuery(name, kind), { threshold: least, limit: 10 }).matches]
      .map(({ name, pair }) => ({ name, score: pair.score }))
      .sort((a, b) => b.score - a.score);
  say(`\nAgainst ${entry} entries, ${search.names} names:`);
  const people = harmless(41, 50_000);
  const alerts = new Map();
  for (const { script, name } of people) {
    const best = find(name, 0.75)[0]?.score ?? 0;
    const own = alerts.get(script) ?? [];
    own.push(best);
    alerts.set(script, own);
  }
  const steps = [0.75, 0.8, 0.85, 0.9];
  const per = (scores, least) =>
    ((1_000 * scores.filter((score) => score >= least).length) / scores.length).toFixed(1);
  say(`  alerts per 1,000 harmless names at ${steps.join(', ')}`);
  for (const [script, scores] of [...alerts, ['all', [...alerts.values()].flat()]]) {
    say(`  ${script.padEnd(42)} ${steps.map((least) => per(scores, least).padStart(6)).join('  ')}`);
  }
  const random = seeded(17);
  const chosen = Array.from({ length: 1_000 }, () => random.pick(targets));
  say(`  listed names found at ${threshold} and at ${threshold + 0.05}, each of 1,000 changed:`);
  for (const [title, change] of Object.entries(evasions)) {
    let [tried, found, firm] = [0, 0, 0];
    for (const target of chosen) {
      const changed = change(target.name, random);
      if (changed === null) continue;
      tried += 1;
      const kind = asOrganisation.has(title) ? 'ORGANISATION' : 'PERSON';
      const hits = find(changed, threshold, kind).filter(({ name }) =>
        search.bearersOf(name).includes(target.entry),
      );
      if (hits.length > 0) found += 1;
      if (hits.some(({ score }) => score >= threshold + 0.05)) firm += 1;
    }
    say(
      `  ${title.padEnd(42)} ${String(tried).padStart(5)}  ${shown(found / tried)}  ${shown(firm / tried)}`,
    );
  }
}

/** The tables of names in use, and what says that two spellings are one name. */
const namesOf = ({ givenNames, familyNames, foldKey, spellings }) => ({
  given: [...givenNames].sort(),
  family: [...familyNames].sort(),
  isOneName: (one, other) =>
    foldKey(one) === foldKey(other) ||
    (spellings.get(one) ?? []).some((group) => (spellings.get(other) ?? []).includes(group)),
});

/** The modules under test, built or as they stand. */
async function modules(root, extension) {
  const load = (name) => import(new URL(`${name}.${extension}`, root).href);
  const names = [
    'names/pair-scorer',
    'names/words/names-in-use',
    'names/words/phonetic',
    'names/words/vocabulary',
    'names/mechanisms',
    'search/index-builder',
    'search/name-search',
    'names/name-query',
    'lists/list-formats',
    '../../../platform/kernel/csv/csv-table',
    '../../../platform/kernel/csv/decode-text',
  ];
  return Object.assign({}, ...(await Promise.all(names.map(load))));
}

export async function screeningNamesBench(
  args,
  root = new URL('../../dist/src/features/screening/domain/', import.meta.url),
  extension = 'js',
) {
  const { values } = parseArgs({
    args,
    options: {
      pairs: { type: 'string' },
      lists: { type: 'string' },
      seed: { type: 'string', default: '1' },
      count: { type: 'string', default: '200' },
      threshold: { type: 'string', default: '0.8' },
      ablate: { type: 'boolean', default: false },
      wrong: { type: 'string' },
      held: { type: 'boolean', default: false },
    },
  });
  const under = await modules(root, extension);
  const threshold = Number(values.threshold);
  const scoredBy = (pairs) =>
    pairs.map((pair) => ({ ...pair, score: under.scoreNames(pair.one, pair.two, pair.kind).score }));
  const generated = pairsOf(Number(values.seed), Number(values.count));
  const real = values.pairs ? await labelled(values.pairs, under) : [];
  const groups = groupsOf(real);
  say(`Names, scorer ${under.SCORER_VERSION}`);
  if (real.length > 0) {
    const scored = scoredBy(real);
    const { f1, folds } = crossValidated(scored, groups);
    say(`\nLabelled pairs: ${real.length} in ${new Set(groups).size} groups, ${FOLDS} folds by group`);
    folds.forEach(({ threshold: own, f1: of, pairs }, i) =>
      say(
        `  fold ${i + 1}: ${String(pairs).padStart(3)} pairs, threshold ${own.toFixed(2)} from the others, F1 ${shown(of)}`,
      ),
    );
    say(`  cross-validated F1 ${shown(f1)}; at fixed thresholds ${curve(scored)}`);
  }
  const scored = scoredBy(generated);
  say(
    `\nGenerated families: ${new Set(generated.map(({ family }) => family)).size} kinds, ${generated.length} pairs, seed ${values.seed}`,
  );
  say(`  F1 ${curve(scored)}`);
  familyTable(scored, threshold);
  const brazilian = scoredBy(
    brazilianPairs(Number(values.seed), Number(values.count), namesOf(under)).filter(
      ({ held }) => held === values.held,
    ),
  );
  say(
    `\nBrazilian pairs by rule: ${brazilian.length}, ${values.held ? 'the third that is held out' : 'without the third that is held out'}`,
  );
  for (const at of [threshold, threshold + 0.05]) {
    const { right, wrong, missed } = counted(brazilian, at);
    say(
      `  at ${at.toFixed(2)}: precision ${shown(right / (right + wrong))}, recall ${shown(right / (right + missed))}`,
    );
  }
  familyTable(brazilian, threshold);
  if (values.wrong) {
    for (const { family, one, two, match, score } of [...scored, ...brazilian]) {
      if (family.includes(values.wrong) && score >= threshold !== match)
        say(`  ${shown(score)} ${one} | ${two}`);
    }
  }
  if (values.ablate) {
    say('\nGain of each mechanism (F1 with it less F1 without it): labelled pairs over folds, families');
    const whole = {
      real: real.length > 0 ? crossValidated(scoredBy(real), groups).f1 : 0,
      made: f1Of(counted([...scored, ...brazilian], threshold)),
    };
    for (const name of Object.keys(under.mechanisms)) {
      under.mechanisms[name] = false;
      const without = {
        real: real.length > 0 ? crossValidated(scoredBy(real), groups).f1 : 0,
        made: f1Of(counted(scoredBy([...generated, ...brazilian]), threshold)),
      };
      under.mechanisms[name] = true;
      const gain = (part) =>
        `${whole[part] >= without[part] ? '+' : ''}${(whole[part] - without[part]).toFixed(4)}`;
      say(`  ${name.padEnd(28)} ${gain('real')}  ${gain('made')}`);
    }
  }
  if (values.lists) await againstLists(values.lists, under, threshold);
}
