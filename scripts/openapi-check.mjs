// npm run openapi:check. Holds the types that are made of the OpenAPI documents against them, and both documents against
// Redocly's strict rules, and against ours: everything is described, every operation says who may call it, and
// openapi-typescript makes types of them that compile. Where `npm ci --prefix scripts/openapi-tools` was run, Spectral,
// hey-api and orval have their say too.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { buildOpenApi, buildOperatorOpenApi } from '../src/bootstrap/api-docs/index.js';
import { findingsOf } from '../test/support/openapi-rules.js';
import { staleTypes } from './console-types.mjs';
import { previewApp } from './preview-app.mjs';

const preview = await previewApp();
const { app, settings, routes } = preview;
const documents = {
  'openapi.json': buildOpenApi(app, settings, routes),
  'operator/openapi.json': buildOperatorOpenApi(app, settings, routes),
};
const config = await createConfig({ extends: ['recommended-strict'] });
let findings = 0;
const complain = (name, text) => {
  findings += 1;
  console.error(`${name}: ${text}`);
};

/** Redocly has a success only between 200 and 299; what sends a browser elsewhere has another. */
const redirects = (document, { ruleId, location }) => {
  if (ruleId !== 'operation-2xx-response') return false;
  const [, , path, method] = (location[0]?.pointer ?? '').split('/').map((one) => one.replaceAll('~1', '/'));
  return ['302', '303'].some((status) => status in (document.paths[path]?.[method]?.responses ?? {}));
};

/** Says what the compiler complains of, in one program: files share the types of the language. */
function faultsOf(files, exactOptionalPropertyTypes) {
  const program = ts.createProgram(files, {
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    exactOptionalPropertyTypes,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map((one) => [one.file?.fileName ?? '', ts.flattenDiagnosticMessageText(one.messageText, ' ')]);
}

for (const file of await staleTypes(preview))
  complain(file, 'not what the API says. Run: npm run console:types');

const root = path.resolve(import.meta.dirname, '..');
const hasTools = existsSync(path.join(root, 'scripts/openapi-tools/node_modules'));
const tools = hasTools ? await import('./openapi-tools/findings.mjs') : null;
const folder = mkdtempSync(path.join(tmpdir(), 'vigia-openapi-'));
if (!tools) {
  const missing = 'Spectral, hey-api and orval were not asked: npm ci --prefix scripts/openapi-tools';
  if (process.env.CI) complain('openapi-tools', missing);
  else console.log(missing);
}

const types = [];
const clients = [];
for (const [name, document] of Object.entries(documents)) {
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: `/${name}`,
    config,
  });
  for (const problem of problems.filter((one) => !redirects(document, one))) {
    complain(name, `${problem.ruleId} at ${problem.location[0]?.pointer ?? ''}: ${problem.message}`);
  }
  for (const finding of findingsOf(document)) complain(name, finding);
  types.push(path.join(folder, `types-${types.length}.ts`));
  writeFileSync(types.at(-1), astToString(await openapiTS(structuredClone(document))));
  if (!tools) continue;
  for (const message of await tools.complaints(structuredClone(document))) complain(name, message);
  clients.push(...(await tools.generated(document, mkdtempSync(path.join(folder, 'clients-')))));
}
for (const [file, text] of [
  ...faultsOf(types, true),
  // The code that hey-api puts beside what it generates does not know exactOptionalPropertyTypes.
  ...(tools ? faultsOf(clients, false) : []),
]) {
  complain(path.relative(folder, file), text);
}
// The journeys name operations of the integrators' document, and are a valid document themselves.
const journeys = readFileSync(path.join(root, 'docs/arazzo.json'), 'utf8');
for (const problem of await lintFromString({ source: journeys, absoluteRef: '/arazzo.json', config })) {
  complain('arazzo.json', `${problem.ruleId} at ${problem.location[0]?.pointer ?? ''}: ${problem.message}`);
}
rmSync(folder, { recursive: true });
if (findings > 0) process.exitCode = 1;
else console.log(`${Object.keys(documents).join(', ')} and arazzo.json: no findings`);
