import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const rules = read('observability/prometheus/alerts.yml');
const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
const runbooks = [...rules.matchAll(/runbook: (\S+)/g)].map(([, page = '']) => page);
const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => read(path.join('src', file)))
  .join('\n');

describe('the rules for Prometheus', () => {
  it('have a page of the runbook for each alert, and no page without an alert', () => {
    expect(runbooks).toHaveLength(alerts.length);
    expect(runbooks.filter((page) => !existsSync(path.join(root, page)))).toEqual([]);
    const pages = readdirSync(path.join(root, 'docs/runbooks')).map((name) => `docs/runbooks/${name}`);
    expect(pages.sort()).toEqual([...new Set(runbooks)].sort());
  });

  it('have a fault that fires each alert, and are silent when all is well', () => {
    const cases = read('observability/prometheus/alerts.test.yml');
    const fired = [...cases.matchAll(/alertname: (\w+)\s+exp_alerts:\n\s+- exp_labels/g)].map(([, n]) => n);
    const silent = [...cases.matchAll(/alertname: (\w+), exp_alerts: \[\]/g)].map(([, n]) => n);
    expect([...new Set(fired)].sort()).toEqual([...alerts].sort());
    expect(silent.sort()).toEqual([...alerts].sort());
  });

  it.each(['observability/prometheus/alerts.yml', 'observability/grafana/vigia.json'])(
    'and dashboards ask for metrics that there are: %s',
    (file) => {
      const asked = new Set([...read(file).matchAll(/\bvigia_[a-z_]+/g)].map(([name]) => name));
      const missing = [...asked].filter(
        (name) => !sources.includes(`'${name.replace(/_(bucket|count|sum)$/, '')}'`),
      );
      expect(asked.size).toBeGreaterThan(5);
      expect(missing).toEqual([]);
    },
  );
});
