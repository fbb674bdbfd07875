/**
 * `npm run bench -- screening [--lists DIR] [--pairs FILE] [--names 12000,100000,1000000] [--assert]`: how well and how
 * fast names are found. DIR holds ofac-sdn.csv, ofac-alt.csv and un-consolidated.xml, or whichever of them there are;
 * FILE has the columns schema, name1, name2, is_match.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { personName, perturbations, seeded } from './screening/names.mjs';

const domain = new URL('../../dist/src/features/screening/domain/', import.meta.url);
const load = (name) => import(new URL(name, domain).href);
const [
  { scoreNames, SCORER_VERSION },
  { IndexBuilder },
  { NameSearch },
  { parseNameQuery },
  { bytesOf },
  { readEntries },
  { readCsvRecords },
  { decodeText },
] = await Promise.all(
  [
    'names/pair-scorer.js',
    'search/index-builder.js',
    'search/name-search.js',
    'names/name-query.js',
    'search/packed-index.js',
    'lists/list-formats.js',
    '../../../platform/kernel/csv/csv-table.js',
    '../../../platform/kernel/csv/decode-text.js',
  ].map(load),
);

const say = (text = '') => process.stdout.write(`${text}\n`);
const percent = (part, whole) => (whole === 0 ? 0 : part / whole);
const shown = (value, digits = 3) => value.toFixed(digits);
const verdicts = [];
const judge = (what, value, met, required) => {
  verdicts.push(met);
  say(`  ${met ? 'met    ' : 'NOT MET'} ${what}: ${value} (required ${required})`);
};

function quantile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

async function* bytes(file) {
  yield* fs.createReadStream(file);
}

const kinds = {
  Person: 'PERSON',
  Company: 'ORGANISATION',
  Organization: 'ORGANISATION',
  Vessel: 'OTHER',
  Airplane: 'OTHER',
};

async function pairs(file) {
  const rows = [];
  for await (const record of readCsvRecords(decodeText(bytes(file)), ','))
    if ('value' in record) rows.push(record.value);
  const [header, ...records] = rows;
  const at = (name) => header.indexOf(name);
  const scored = records.map((row) => ({
    match: row[at('is_match')] === 'true',
    person: row[at('schema')] === 'Person',
    score: scoreNames(row[at('name1')], row[at('name2')], kinds[row[at('schema')]] ?? 'UNKNOWN').score,
  }));
  const figures = (rowsOf, threshold) => {
    const hits = rowsOf.filter(({ score }) => score >= threshold);
    const right = hits.filter(({ match }) => match).length;
    const precision = percent(right, hits.length);
    const recall = percent(right, rowsOf.filter(({ match }) => match).length);
    return { precision, recall, f1: percent(2 * precision * recall, precision + recall) };
  };
  say(
    `\nLabelled pairs: ${scored.length} of ${path.basename(file)}, ${scored.filter(({ person }) => person).length} of persons`,
  );
  say('  threshold  precision  recall  F1     F1 of persons');
  for (const threshold of [0.6, 0.65, 0.7, 0.75, 0.8, 0.85]) {
    const { precision, recall, f1 } = figures(scored, threshold);
    const ofPersons = figures(
      scored.filter(({ person }) => person),
      threshold,
    ).f1;
    say(
      `  ${shown(threshold, 2)}       ${shown(precision)}      ${shown(recall)}   ${shown(f1)}  ${shown(ofPersons)}`,
    );
  }
  const { f1 } = figures(scored, 0.7);
  judge('F1 at 0.70', shown(f1), f1 >= 0.88, '>= 0.88');
}

/** Puts every target through the fourteen perturbations and looks for it again. */
function recallOf(search, targets, threshold) {
  const random = seeded(7);
  const latencies = [];
  const lines = [];
  let asked = 0;
  let found = 0;
  for (const [title, change] of Object.entries(perturbations)) {
    let tried = 0;
    let right = 0;
    for (const { name, kind, entry } of targets) {
      const changed = change(name, random);
      if (changed === null) continue;
      const began = performance.now();
      const matches = [...search.search(parseNameQuery(changed, kind), { threshold, limit: 50 }).matches];
      latencies.push(performance.now() - began);
      tried += 1;
      if (matches.some((match) => search.bearersOf(match.name).includes(entry))) right += 1;
    }
    asked += tried;
    found += right;
    lines.push(`  ${title.padEnd(30)} ${String(tried).padStart(5)}  ${shown(percent(right, tried), 4)}`);
  }
  return { lines, recall: percent(found, asked), latencies };
}

async function entriesOf(directory) {
  const at = (name) => path.join(directory, name);
  const sources = [
    [
      at('ofac-sdn.csv'),
      'OFAC_SDN_CSV',
      fs.existsSync(at('ofac-alt.csv')) ? { aliases: at('ofac-alt.csv') } : {},
    ],
    [at('un-consolidated.xml'), 'UN_XML', {}],
  ].filter(([file]) => fs.existsSync(file));
  if (sources.length === 0) throw new Error(`no list file that this bench knows in ${directory}`);
  const entries = [];
  for (const [file, format, { aliases }] of sources) {
    let problems = 0;
    const before = entries.length;
    for await (const read of readEntries(format, {
      main: bytes(file),
      ...(aliases ? { aliases: bytes(aliases) } : {}),
    })) {
      if ('problem' in read) problems += 1;
      else if (!('value' in read)) continue;
      else entries.push(read.value);
    }
    say(`  ${path.basename(file)}: ${entries.length - before} entries, ${problems} lines not read`);
  }
  return entries;
}

async function lists(directory) {
  say('\nLists:');
  const entries = await entriesOf(directory);
  const builder = new IndexBuilder();
  const names = [];
  entries.forEach(({ names: own, kind }, entry) => {
    for (const name of own) {
      builder.add(name, kind, entry);
      if (kind === 'PERSON') names.push({ name, kind, entry });
    }
  });
  const search = new NameSearch(builder.build());
  say(`  ${search.names} distinct names`);
  const random = seeded(3);
  const targets = Array.from({ length: 1_000 }, () => random.pick(names));
  const { lines, recall, latencies } = recallOf(search, targets, 0.85);
  say('\nRecall of perturbed persons of the lists at 0.85:');
  lines.forEach((line) => say(line));
  judge('recall at 0.85', shown(recall, 4), recall >= 0.99, '>= 0.99');
  say(`  p50 ${shown(quantile(latencies, 0.5))} ms, p99 ${shown(quantile(latencies, 0.99))} ms`);
  for (const [title, region] of [
    ['Brazilian customers', 'br'],
    ['names of all regions, namesakes included', undefined],
  ]) {
    const strangers = seeded(99);
    const scores = Array.from({ length: 5_000 }, () => {
      const asked = parseNameQuery(personName(strangers, region), 'PERSON');
      const { matches } = search.search(asked, { threshold: 0.75, limit: 1 });
      return Math.max(0, ...Array.from(matches, ({ pair }) => pair.score));
    });
    const per = (threshold) => scores.filter((score) => score >= threshold).length / 5;
    say(
      `  alerts per 1,000 unrelated ${title}: ${[0.75, 0.8, 0.85, 0.9].map((t) => `${per(t).toFixed(1)} at ${t}`).join(', ')}`,
    );
    if (region === 'br') judge('alerts per 1,000 at 0.85', per(0.85).toFixed(1), per(0.85) <= 2, '<= 2');
  }
}

function synthetic(count) {
  const random = seeded(1);
  const names = Array.from({ length: count }, () => personName(random));
  globalThis.gc?.();
  const before = process.memoryUsage();
  const cpu = process.cpuUsage();
  const began = performance.now();
  const builder = new IndexBuilder();
  names.forEach((name, entry) => builder.add(name, 'PERSON', entry));
  const index = builder.build();
  const seconds = (performance.now() - began) / 1_000;
  const cpuSeconds = process.cpuUsage(cpu).user / 1e6;
  const search = new NameSearch(index);
  const targets = Array.from({ length: Math.min(count, 250) }, () => {
    const entry = random.below(count);
    return { name: names[entry], kind: 'PERSON', entry };
  });
  const { lines, recall, latencies } = recallOf(search, targets, 0.75);
  const p50 = quantile(latencies, 0.5);
  const p99 = quantile(latencies, 0.99);
  const peak = (process.memoryUsage().rss - before.rss) / 1e6;
  say(`\n${count.toLocaleString('en-US')} made-up names (${search.names.toLocaleString('en-US')} distinct):`);
  say(
    `  built in ${shown(seconds, 2)} s (${shown(cpuSeconds, 2)} s of processor), index ${(bytesOf(index) / 1e6).toFixed(0)} MB, process +${peak.toFixed(0)} MB`,
  );
  say(
    `  p50 ${shown(p50)} ms, p99 ${shown(p99)} ms over ${latencies.length} questions; recall at 0.75: ${shown(recall, 4)}`,
  );
  if (count < 1_000_000) return;
  lines.forEach((line) => say(line));
  judge('p50', `${shown(p50)} ms`, p50 < 2, '< 2 ms');
  judge('p99', `${shown(p99)} ms`, p99 < 20, '< 20 ms');
  judge('recall at 0.75', shown(recall, 4), recall >= 0.98, '>= 0.98');
  judge('build', `${shown(seconds, 2)} s`, seconds < 8, '< 8 s');
}

export async function screeningBench(args) {
  const { values } = parseArgs({
    args,
    options: {
      lists: { type: 'string' },
      pairs: { type: 'string' },
      names: { type: 'string', default: '12000,100000,1000000' },
      assert: { type: 'boolean', default: false },
    },
  });
  const counts = values.names.split(',').map(Number);
  if (counts.some((count) => !Number.isInteger(count) || count < 1))
    throw new Error('--names takes numbers: 12000,100000');
  say(
    `Screening, scorer ${SCORER_VERSION}, Node ${process.version}, ${os.cpus().length} processors, load ${os.loadavg()[0]?.toFixed(1)}`,
  );
  if (values.pairs) await pairs(values.pairs);
  if (values.lists) await lists(values.lists);
  for (const count of counts) synthetic(count);
  if (values.assert && verdicts.includes(false)) process.exitCode = 1;
}
