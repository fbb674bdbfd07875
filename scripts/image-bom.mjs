import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { parseArgs } from 'node:util';

/** A component of CycloneDX, named so that a scanner finds it. */
const component = (type, name, version, purl) => ({ type, name, version, purl, 'bom-ref': purl });

/** Adds to the bill of npm packages what an image says of itself; `said` has what each of the commands below printed. */
export function imageBom(npmBom, { node, debian, postgres, redis }) {
  const { node: version, ...builtWith } = JSON.parse(node);
  const packages = debian.split('\n').filter((line) => line.includes(' '));
  const added = [
    component('application', 'node', version, `pkg:generic/node@${version}`),
    ...Object.entries(builtWith)
      .filter(([name]) => !['modules', 'napi'].includes(name))
      .map(([name, of]) => component('library', name, of, `pkg:generic/${name}@${encodeURIComponent(of)}`)),
    ...packages.map((line) => {
      const [name = '', of = ''] = line.split(' ');
      return component('library', name, of, `pkg:deb/debian/${name}@${encodeURIComponent(of)}`);
    }),
    server('postgresql', /\(PostgreSQL\) (\S+)/, postgres),
    server('redis', /v=(\S+)/, redis),
  ];
  const known = new Set(npmBom.components.map(({ purl }) => purl));
  return { ...npmBom, components: [...npmBom.components, ...added.filter(({ purl }) => !known.has(purl))] };
}

function server(name, pattern, said) {
  const version = pattern.exec(said)?.[1];
  if (version === undefined) throw new Error(`the image of ${name} does not say its version`);
  return component('application', name, version, `pkg:generic/${name}@${version}`);
}

/** What is asked of each image. */
export const QUESTIONS = {
  node: ['node', '-p', 'JSON.stringify(process.versions)'],
  debian: ['dpkg-query', '--show', '--showformat', '${Package} ${Version}\\n'],
  postgres: ['postgres', '--version'],
  redis: ['redis-server', '--version'],
};

function ask(image, command) {
  const [entrypoint, ...rest] = command;
  const args = ['run', '--rm', '--network', 'none', '--entrypoint', entrypoint, image, ...rest];
  const { status, stdout, stderr, error } = spawnSync('docker', args, { encoding: 'utf8' });
  if (error || status !== 0) throw new Error(`${image} did not answer: ${error?.message ?? stderr}`);
  return stdout.trim();
}

if (import.meta.filename === process.argv[1]) {
  const { values } = parseArgs({
    options: {
      image: { type: 'string', default: 'vigia' },
      postgres: { type: 'string', default: 'postgres:18' },
      redis: { type: 'string', default: 'redis:7' },
      output: { type: 'string', default: 'sbom.image.cdx.json' },
    },
  });
  const bom = imageBom(JSON.parse(fs.readFileSync('docs/sbom.cdx.json', 'utf8')), {
    node: ask(values.image, QUESTIONS.node),
    debian: ask(values.image, QUESTIONS.debian),
    postgres: ask(values.postgres, QUESTIONS.postgres),
    redis: ask(values.redis, QUESTIONS.redis),
  });
  fs.writeFileSync(values.output, `${JSON.stringify(bom, null, 2)}\n`);
  process.stdout.write(`${values.output}: ${bom.components.length} components\n`);
}
