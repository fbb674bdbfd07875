const VERBS = '/^(Get|Post|Put|Patch|Delete|All|Head|Options)$/';
const ACCESS = '/^(ForClient|ForOperator|Public|Internal|StaticFile)$/';

/** Routes without an access declaration, or kept out of the OpenAPI document, fail `npm run check`. */
export const routesDeclareAccess = [
  {
    selector:
      'ClassDeclaration:not(:has(> Decorator[expression.callee.name="Internal"])) > ClassBody > MethodDefinition' +
      `:has(> Decorator[expression.callee.name=${VERBS}]):not(:has(> Decorator[expression.callee.name=${ACCESS}]))`,
    message: 'Say who may call the route: @ForClient, @ForOperator, @Public, @StaticFile or @Internal.',
  },
  {
    selector: 'Decorator[expression.callee.name=/^ApiExclude(Endpoint|Controller)$/]',
    message: 'Every route stands in its OpenAPI document.',
  },
];
