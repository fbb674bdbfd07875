const VERBS = '/^(Get|Post|Put|Patch|Delete|All|Head|Options)$/';

/** Routes that are not declared with Route, or kept out of the OpenAPI document, fail `npm run check`. */
export const routesDeclareAccess = [
  {
    selector: `MethodDefinition > Decorator[expression.callee.name=${VERBS}]`,
    message: 'Declare the route with @Route.get, .post …: it asks who may call it.',
  },
  {
    selector: 'Decorator[expression.callee.name=/^ApiExclude(Endpoint|Controller)$/]',
    message: 'Every route stands in its OpenAPI document.',
  },
];
