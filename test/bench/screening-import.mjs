/**
 * `npm run bench -- screening-import --lists DIR [--assert]`: imports the lists of DIR (ofac-sdn.csv with ofac-alt.csv,
 * un-consolidated.xml) by the command line: once, again, with 30 % of the entries gone, and with lines broken.
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { importList, withClient, Workbench } from './service.mjs';

const say = (text = '') => process.stdout.write(`${text}\n`);
const LOST = 0.3;
const BROKEN = 'this line is broken';

/** The lists of a folder, as they are imported. */
export function knownLists(directory) {
  const at = (name) => path.join(directory, name);
  return [
    { key: 'ofac', file: at('ofac-sdn.csv'), format: 'OFAC_SDN_CSV', aliases: at('ofac-alt.csv') },
    { key: 'un', file: at('un-consolidated.xml'), format: 'UN_XML', aliases: null },
  ]
    .filter(({ file }) => fs.existsSync(file))
    .map((list) => ({
      ...list,
      options: [
        ...['--list', list.key, '--format', list.format, '--kind', 'SANCTIONS'],
        ...(list.aliases && fs.existsSync(list.aliases) ? ['--aliases', list.aliases] : []),
      ],
    }));
}

/** The file with a share of its entries gone, spread over all of it. */
function shrunk({ format, file }) {
  const text = fs.readFileSync(file, 'utf8');
  const lost = (i) => i % 10 < LOST * 10;
  if (format === 'OFAC_SDN_CSV')
    return text
      .split('\n')
      .filter((_, i) => !lost(i))
      .join('\n');
  let seen = 0;
  return text.replace(/<(INDIVIDUAL|ENTITY)>[^]*?<\/\1>/g, (entry) => (lost(seen++) ? '' : entry));
}

/** The file with three entries that cannot be read. */
function broken({ format, file }) {
  const text = fs.readFileSync(file, 'utf8');
  if (format === 'OFAC_SDN_CSV') {
    const lines = text.split('\n');
    for (const at of [10, 100, 200]) lines.splice(at, 0, BROKEN);
    return lines.join('\n');
  }
  let seen = 0;
  return text.replace(/<ENTITY>/g, (entry) => ((seen += 1) < 4 ? `<ENTITY><X></ENTITY>${entry}` : entry));
}

export async function screeningImportBench(args) {
  const { values } = parseArgs({
    args,
    options: { lists: { type: 'string' }, assert: { type: 'boolean', default: false } },
  });
  if (!values.lists) throw new Error('--lists names the folder of the lists');
  let met = true;
  const judge = (what, ok) => {
    met &&= ok;
    say(`  ${ok ? 'met    ' : 'NOT MET'} ${what}`);
  };
  const bench = await Workbench.open();
  try {
    await bench.withDatabase(async ({ env, ownerUrl }) => {
      const stored = (key) =>
        withClient(ownerUrl, async (client) => {
          const { rows } = await client.query(
            `SELECT count(*)::int AS n FROM screening_entries e JOIN screening_lists l ON l.id = e.list_id WHERE l.key = $1`,
            [key],
          );
          return rows[0].n;
        });
      for (const list of knownLists(values.lists)) {
        const copy = (name, text) => {
          const file = path.join(bench.dir, `${list.key}-${name}`);
          fs.writeFileSync(file, text);
          return file;
        };
        const run = async (title, file) => {
          const began = performance.now();
          const answer = await importList(env, file, ...list.options);
          say(`\n${list.key}, ${title}, ${((performance.now() - began) / 1_000).toFixed(1)} s:`);
          say(answer.printed.trimEnd().replaceAll(/^/gm, '  '));
          return answer;
        };
        const first = await run('the first time', list.file);
        judge('published', first.code === 0 && first.printed.includes('PUBLISHED'));
        const entries = await stored(list.key);
        const again = await run('the same file again', list.file);
        judge(
          `still ${entries} entries`,
          again.printed.includes('UNCHANGED') && (await stored(list.key)) === entries,
        );
        const less = await run('30 % of the entries gone', copy('shrunk', shrunk(list)));
        judge('refused without confirmation', less.code === 2 && less.printed.includes('LIST_SHRINKS'));
        judge(`still ${entries} entries`, (await stored(list.key)) === entries);
        const faulty = await run('three entries broken', copy('broken', broken(list)));
        judge(
          'three are reported with their lines, the others are imported',
          /3 lines were not read:(\s+line \d+: \w+){3}/.test(faulty.printed) &&
            (await stored(list.key)) === entries,
        );
      }
    });
  } finally {
    await bench.close();
  }
  if (values.assert && !met) process.exitCode = 1;
}
