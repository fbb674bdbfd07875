import type { OpenAPIObject } from '@nestjs/swagger';

type Responses = NonNullable<NonNullable<OpenAPIObject['paths'][string]['get']>['responses']>;
type ResponseOf = NonNullable<Responses[string]>;

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/**
 * Returns an equal document in which each distinct response is a component that operations refer to. Most operations
 * have the same errors, which are three quarters of the text. Swagger UI takes seconds to load so much text, and
 * resolves a reference only when somebody opens it.
 */
export function withSharedResponses(document: OpenAPIObject): OpenAPIObject {
  const names = new Map<string, string>();
  const shared: Record<string, ResponseOf> = {};
  const share = (response: ResponseOf): ResponseOf => {
    const text = JSON.stringify(response);
    const name = names.get(text) ?? `R${names.size + 1}`;
    names.set(text, name);
    shared[name] = response;
    return { $ref: `#/components/responses/${name}` };
  };
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => {
      const operations = methods.flatMap((method) => {
        const operation = item[method];
        if (!operation?.responses) return [];
        const responses: Responses = {};
        for (const [status, response] of Object.entries(operation.responses)) {
          if (response) responses[status] = share(response);
        }
        return [[method, { ...operation, responses }] as const];
      });
      return [path, { ...item, ...Object.fromEntries(operations) }];
    }),
  );
  return { ...document, paths, components: { ...document.components, responses: shared } };
}
