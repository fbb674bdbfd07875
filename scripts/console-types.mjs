// npm run console:types. Writes the types of the operator API for the console, and those of the other one for the clients,
// from the documents that the service serves. With --check it writes nothing and fails where the file is not what the API
// says; scripts/openapi-check.mjs asks for the same.
import { readFileSync, writeFileSync } from 'node:fs';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import openapiTS, { astToString } from 'openapi-typescript';
import { buildOpenApi, filterOpenApiPaths } from '../src/bootstrap/api-docs/index.js';
import { previewApp } from './preview-app.mjs';
import { goTypes, pythonTypes } from './sdk-types.mjs';

const FILE = 'web/console/src/api/schema.d.ts';
const HEAD = '// Written by `npm run console:types` from the OpenAPI document of the operator API.\n\n';
const SDK_FILE = 'sdk/node/src/schema.ts';
const SDK_HEAD = '// Written by `npm run console:types` from the OpenAPI document for integrators.\n\n';
// Words for people, and errors, which the client reads from the envelope: half of the document.
const LEFT_OUT = new Set([
  'description',
  'summary',
  'example',
  'examples',
  'security',
  'tags',
  'operationId',
]);

/** The document, as it is without what is added for people. */
function operatorApi({ app }) {
  const base = new DocumentBuilder().setOpenAPIVersion('3.1.0').build();
  const all = SwaggerModule.createDocument(app, base, { operationIdFactory: (_, method) => method });
  for (const operations of Object.values(all.paths)) {
    for (const { responses } of Object.values(operations)) {
      for (const status of Object.keys(responses)) if (!status.startsWith('2')) delete responses[status];
    }
  }
  return filterOpenApiPaths(all, (path) => path.startsWith('/operator/'));
}

const bare = (value, names = false) => {
  if (Array.isArray(value)) return value.map((one) => bare(one));
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([key]) => names || !LEFT_OUT.has(key));
  return Object.fromEntries(kept.map(([key, one]) => [key, bare(one, key === 'properties')]));
};

/** What applications call, and how it succeeds. Errors have a class of the clients. */
function integratorApi({ app, settings, routes }) {
  const { webhooks: _, ...document } = buildOpenApi(app, settings, routes);
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (operation.security.length === 0) delete operations[method];
      for (const [status, answer] of Object.entries(operation.responses)) {
        delete answer.headers;
        if (!status.startsWith('2')) delete operation.responses[status];
      }
    }
    if (Object.keys(operations).length === 0) delete document.paths[path];
  }
  const kept = filterOpenApiPaths(
    { ...document, errors: { $ref: '#/components/schemas/ErrorObjectView' } },
    () => true,
  );
  return { ...kept, errors: undefined };
}

/** The text of each file that is made from the documents, by its path. */
async function typesOf(preview) {
  const integrators = integratorApi(preview);
  return {
    [FILE]: HEAD + astToString(await openapiTS(bare(operatorApi(preview)), { defaultNonNullable: false })),
    [SDK_FILE]: SDK_HEAD + astToString(await openapiTS(structuredClone(integrators))),
    'sdk/python/vigia/types.py': pythonTypes(integrators.components.schemas),
    'sdk/go/types.go': goTypes(integrators.components.schemas),
  };
}

/** The files that are not what the API says. */
export async function staleTypes(preview) {
  const files = Object.entries(await typesOf(preview));
  return files.filter(([file, text]) => readFileSync(file, 'utf8') !== text).map(([file]) => file);
}

async function main() {
  const preview = await previewApp();
  if (process.argv.includes('--check')) {
    for (const file of await staleTypes(preview)) {
      console.error(`${file} is not what the API says. Run: npm run console:types`);
      process.exitCode = 1;
    }
    return;
  }
  for (const [file, text] of Object.entries(await typesOf(preview))) {
    writeFileSync(file, text);
    console.log(`written: ${file}`);
  }
}

if (process.argv[1] === import.meta.filename) await main();
