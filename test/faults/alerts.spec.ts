import { execFile } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect } from '@jest/globals';
import { needs, promtool } from '../support/needs.js';

const rules = path.resolve(
  path.dirname(fileURLToPath(import.meta.url)),
  '../../observability/prometheus/alerts.test.yml',
);

describe('the rules for Prometheus', () => {
  // Debian has it in prometheus; PROMTOOL names another, and .ci/promtool brings one without installing it.
  needs('promtool').it('fire at each fault, and at nothing else, as promtool evaluates them', async () => {
    const { stdout } = await promisify(execFile)(promtool, [...['test', 'rules', rules]]);
    expect(stdout).toContain('SUCCESS');
  });
});
