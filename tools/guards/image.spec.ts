import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readCompose, readYaml, serviceOf } from '../../test/support/compose.js';

const compose = readCompose('docker-compose.yml');
const services = Object.entries(compose.services);

describe('docker-compose.yml', () => {
  it.each(services)('holds %s: a root to read, no new rights, bounds', (_, held) => {
    expect(held).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
      pids_limit: expect.any(Number),
    });
  });

  it('gives capabilities to the entrypoint of PostgreSQL alone', () => {
    expect(services.flatMap(([name, { cap_add: added }]) => (added ? [name] : []))).toEqual(['postgres']);
  });

  it('gives the migrations what they need and no key', () => {
    const { migrate } = compose.services;
    expect(Object.keys(migrate?.environment ?? {}).sort()).toEqual([
      'DATABASE_OWNER_URL',
      'DATABASE_URL',
      'NODE_ENV',
    ]);
  });

  it('gives the owner of the tables to nobody else', () => {
    const owners = services.filter(([, { environment }]) => 'DATABASE_OWNER_URL' in environment);
    expect(owners.map(([name]) => name)).toEqual(['migrate']);
  });

  it('keeps database and queue apart, in networks that lead nowhere', () => {
    expect(compose.networks).toMatchObject({ tables: { internal: true }, queue: { internal: true } });
    const { postgres, redis, migrate } = compose.services;
    expect([postgres?.networks, redis?.networks, migrate?.networks]).toEqual([
      ['tables'],
      ['queue'],
      ['tables'],
    ]);
  });

  it('asks for a password in Redis, and names all images by what the environment says', () => {
    expect(compose.services['api']?.environment['REDIS_URL']).toMatch(
      /^redis:\/\/default:\$\{REDIS_PASSWORD:\?/,
    );
    expect(compose.services['postgres']?.image).toBe('${POSTGRES_IMAGE:-postgres:18}');
    expect(compose.services['redis']?.image).toBe('${REDIS_IMAGE:-redis:7}');
  });
});

describe('docker-compose.observability.yml', () => {
  const added = readCompose('docker-compose.observability.yml');
  const all = [compose, added].flatMap((file) => Object.entries(file.services));
  const service = (name: string): ReturnType<typeof serviceOf> => serviceOf([compose, added], name);
  const shared = (one: string, other: string): string[] =>
    service(one).networks.filter((network) => service(other).networks.includes(network));
  const read = (file: string): unknown => readYaml(`observability/${file}`);

  it('lets Prometheus reach each probe where it listens', () => {
    const { scrape_configs: scrapes } = read('prometheus/prometheus.yml') as {
      scrape_configs: { static_configs: { targets: string[] }[] }[];
    };
    const targets = scrapes.flatMap((scrape) => scrape.static_configs.flatMap((config) => config.targets));
    expect(targets.length).toBeGreaterThan(1);
    const probesPort = /PROBES_PORT=(\d+)/.exec(readFileSync('Dockerfile', 'utf8'))?.[1];
    for (const target of targets) {
      const [name = '', port] = target.split(':');
      expect(shared('prometheus', name)).not.toEqual([]);
      expect([service(name).environment['PROBES_HOST'], port]).toEqual(['0.0.0.0', probesPort]);
    }
  });

  it('gives Grafana the source that it is told of, and every folder that it names', () => {
    const { datasources } = read('grafana/provisioning/datasources/prometheus.yml') as {
      datasources: { url: string; isDefault: boolean }[];
    };
    expect(datasources).toEqual([expect.objectContaining({ isDefault: true })]);
    const { hostname, port } = new URL(datasources[0]!.url);
    expect([shared('grafana', hostname).length > 0, port]).toEqual([true, '9090']);
    const { providers } = read('grafana/provisioning/dashboards/vigia.yml') as {
      providers: { options: { path: string } }[];
    };
    const mounted = (added.services['grafana']?.volumes ?? []).map((volume) => volume.split(':'));
    for (const [from] of mounted) expect([from, existsSync(from!)]).toEqual([from, true]);
    expect(mounted.filter(([, to]) => to!.startsWith(`${providers[0]!.options.path}/`))).toHaveLength(1);
  });

  it('publishes ports only of containers with a network that leads somewhere', () => {
    const networks = { ...compose.networks, ...added.networks };
    const published = all.filter(([, { ports }]) => ports);
    expect(published.map(([name]) => name).sort()).toEqual(['api', 'grafana', 'prometheus']);
    for (const [name] of published) {
      const open = service(name).networks.filter((network) => networks[network]?.internal !== true);
      expect([name, open.length > 0]).toEqual([name, true]);
    }
  });
});

describe('the .env of docs/production.md', () => {
  it('has a value for each setting without which the containers do not start', () => {
    const [, block = ''] =
      /cat > \.env <<EOF\n([\s\S]*?)EOF/.exec(readFileSync('docs/production.md', 'utf8')) ?? [];
    const named = [...block.matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    const asked = [...readFileSync('docker-compose.yml', 'utf8').matchAll(/\$\{(\w+):\?/g)];
    expect(named).toEqual(expect.arrayContaining([...asked.map(([, name]) => name), 'TRUST_PROXY']));
    const trusted = /^TRUST_PROXY=([\d.]+)\/32$/m.exec(block)?.[1];
    expect(readFileSync('docker-compose.yml', 'utf8')).toContain(`\${FRONT_GATEWAY:-${trusted}}`);
  });
});

describe('Dockerfile', () => {
  const text = readFileSync('Dockerfile', 'utf8');

  it('takes every stage from the one image that the build names', () => {
    const stages = [...text.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(stages.length).toBeGreaterThan(1);
    expect(new Set(stages)).toEqual(new Set(['${NODE_IMAGE}']));
    expect(text).toMatch(/^ARG NODE_IMAGE=node:24-/m);
  });

  it('runs as a user without rights', () => {
    expect(text).toMatch(/^USER node$/m);
  });
});

describe('the bill of materials of the image', () => {
  it('adds Node.js with what it was built with, Debian, PostgreSQL and Redis to the npm packages', () => {
    const script = `import { imageBom } from ${JSON.stringify(path.resolve('scripts/image-bom.mjs'))};
      import fs from 'node:fs';
      const npm = JSON.parse(fs.readFileSync('docs/sbom.cdx.json', 'utf8'));
      const bom = imageBom(npm, {
        node: JSON.stringify(process.versions),
        debian: 'libc6 2.36-9+deb12u13\\nopenssl 3.0.17-1~deb12u2',
        postgres: 'postgres (PostgreSQL) 18.1 (Debian 18.1-1.pgdg12+2)',
        redis: 'Redis server v=7.4.6 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64',
      });
      console.log(JSON.stringify([npm.components.length, bom.components.slice(npm.components.length)]));`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    const [, added] = JSON.parse(stdout) as [number, { purl: string }[]];
    const purls = added.map(({ purl }) => purl);
    expect(purls).toEqual(
      expect.arrayContaining([
        `pkg:generic/node@${process.versions.node}`,
        `pkg:generic/openssl@${encodeURIComponent(process.versions.openssl)}`,
        `pkg:generic/v8@${process.versions.v8}`,
        'pkg:deb/debian/libc6@2.36-9%2Bdeb12u13',
        'pkg:generic/postgresql@18.1',
        'pkg:generic/redis@7.4.6',
      ]),
    );
    expect(new Set(purls).size).toBe(purls.length);
  });
});
