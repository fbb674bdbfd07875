import type { OpenAPIObject } from '@nestjs/swagger';

type Operations = Readonly<Record<string, unknown>>;
const SCHEMA_REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;

/** Returns the document reduced to the paths that `keep` accepts and the schemas that they use. */
export function filterOpenApiPaths(document: OpenAPIObject, keep: (path: string) => boolean): OpenAPIObject {
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => keep(path)));
  const all: Operations = document.components?.schemas ?? {};
  const needed = new Set<string>();
  const { components, ...rest } = { ...document, paths };
  // Schemas refer to further schemas, so repeat until no new schema is found.
  for (
    let newNames = namesIn({ ...rest, components: { ...components, schemas: {} } });
    newNames.length > 0;
  ) {
    const added = newNames.filter((name) => !needed.has(name));
    for (const name of added) needed.add(name);
    newNames = added.flatMap((name) => namesIn(all[name]));
  }
  const schemas = Object.fromEntries(Object.entries(all).filter(([name]) => needed.has(name)));
  return { ...rest, components: { ...components, schemas } } as OpenAPIObject;
}

const namesIn = (value: unknown): string[] =>
  [...JSON.stringify(value ?? null).matchAll(SCHEMA_REFERENCE)].map(([, name = '']) => name);
