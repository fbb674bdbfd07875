// What other people's tools say of an OpenAPI document: Spectral with all its rules, and two generators of clients whose
// output has to compile. Loaded by scripts/openapi-check.mjs where `npm ci --prefix scripts/openapi-tools` was run.
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { generate } from 'orval';

// Whom to ask is known to whoever runs the service, not to its document.
// Tags stand in the order of work.
// Examples and defaults are held against their schemas by test/contract/openapi.spec.ts, in a fiftieth of the time.
const RULESET = {
  extends: [[rulesets.oas, 'all']],
  rules: {
    'contact-properties': 'off',
    'openapi-tags-alphabetical': 'off',
    'oas3-valid-media-example': 'off',
    'oas3-valid-schema-example': 'off',
  },
};

/** A sentence for each complaint of Spectral. */
export async function complaints(document) {
  const linter = new spectral.Spectral();
  linter.setRuleset(RULESET);
  const problems = await linter.run(document);
  return problems.map(({ code, path: at, message }) => `Spectral, ${code} at ${at.join('.')}: ${message}`);
}

/** Writes the clients that the generators make of a document into a folder, and returns their files. */
export async function generated(document, folder) {
  const input = path.join(folder, 'document.json');
  writeFileSync(input, JSON.stringify(document));
  await createClient({
    input,
    output: path.join(folder, 'hey-api'),
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent' },
  });
  await generate({
    input: { target: input },
    output: { target: path.join(folder, 'orval/api.ts'), client: 'fetch', mode: 'single' },
  });
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join(folder, name));
}
