// The rules of the house that no linter knows: `.oxlintrc.json` says where each of them holds. Selectors are those of ESLint.

/** Complains about what the selectors find. */
const without = (...found) => ({
  create: (context) =>
    Object.fromEntries(
      found.map(({ selector, message }) => [selector, (node) => context.report({ node, message })]),
    ),
});

const VERBS = '/^(Get|Post|Put|Patch|Delete|All|Head|Options)$/';
// As the first words of a text: statements stand where the entities stand, and a test prepares each of them.
const SQL = '/^\\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\\s/';
const ON_SQL = 'SQL text stands in store/: use the entity, or a statement of the store.';
const UNCLEAR = /^[\s*]*(?:What|Whose|Whoever|Of)\b/;

/** Comments that begin with these words need two readings: they name no subject before the verb. */
const opening = {
  create: (context) => ({
    Program() {
      let above;
      for (const comment of context.sourceCode.getAllComments()) {
        const goesOn =
          comment.type === 'Line' &&
          above?.type === 'Line' &&
          above.loc.start.line === comment.loc.start.line - 1 &&
          above.loc.start.column === comment.loc.start.column;
        if (!goesOn && UNCLEAR.test(comment.value)) {
          context.report({
            loc: comment.loc,
            message: 'Begin with the subject or the verb; say why, not what.',
          });
        }
        above = comment;
      }
    },
  }),
};

/** True where a reference to a value stands in a type: `typeof one.two`. */
function isInTypeQuery(identifier) {
  let child = identifier;
  let { parent } = child;
  while (parent?.type === 'TSQualifiedName' && parent.left === child) {
    child = parent;
    ({ parent } = child);
  }
  return parent?.type === 'TSTypeQuery';
}

/**
 * What is only used as a type is imported as one. Decorators make values of the types of what they stand at, so a module
 * with decorators is left alone; oxlint's own `consistent-type-imports` does not know that.
 */
const typeImports = {
  create(context) {
    const imports = [];
    let isDecorated = false;
    return {
      ImportDeclaration(node) {
        if (node.importKind !== 'type') imports.push(node);
      },
      Decorator() {
        isDecorated = true;
      },
      'Program:exit'() {
        if (isDecorated) return;
        for (const node of imports) {
          for (const specifier of node.specifiers) {
            if (specifier.importKind === 'type') continue;
            const [{ references }] = context.sourceCode.getDeclaredVariables(specifier);
            const isType = ({ identifier, isTypeReference, isValueReference }) => {
              if (isValueReference && isInTypeQuery(identifier)) return true;
              return isTypeReference && !isValueReference;
            };
            if (references.length > 0 && references.every(isType)) {
              context.report({ node: specifier, message: 'Only used as a type: use `import type`.' });
            }
          }
        }
      },
    };
  },
};

export default {
  meta: { name: 'house' },
  rules: {
    opening,
    'type-imports': typeImports,
    'no-enum': without({
      selector: 'TSEnumDeclaration',
      message: 'Use a union of literals: states and codes are the wire words.',
    }),
    'no-forward-ref': without({
      selector: 'CallExpression[callee.name="forwardRef"]',
      message: 'Calls go down, messages go up: append to the outbox.',
    }),
    'no-default-export': without({
      selector: 'ExportDefaultDeclaration',
      message: 'Named exports only.',
    }),
    'no-empty-bytes': without({
      selector:
        'LogicalExpression[operator="??"] > CallExpression[callee.object.name="Buffer"][callee.property.name="alloc"]',
      message: 'A hash or a sealed value that is missing must not become an empty one: use required().',
    }),
    // An object literal has what every object inherits: `constructor` would be found in it.
    'no-open-table': without({
      selector:
        'VariableDeclarator[id.typeAnnotation.typeAnnotation.typeArguments.params.0.typeArguments.params.0.type="TSStringKeyword"] > ObjectExpression',
      message: 'Make it with table(): it is looked up by names of others.',
    }),
    'routes-declare-access': without(
      {
        selector: `MethodDefinition > Decorator[expression.callee.name=${VERBS}]`,
        message: 'Declare the route with @Route.get, .post …: it asks who may call it.',
      },
      {
        selector: 'Decorator[expression.callee.name=/^ApiExclude(Endpoint|Controller)$/]',
        message: 'Every route stands in its OpenAPI document.',
      },
    ),
    'no-sql-text': without(
      { selector: `Literal[value=${SQL}]`, message: ON_SQL },
      { selector: `TemplateLiteral > TemplateElement:first-child[value.raw=${SQL}]`, message: ON_SQL },
    ),
    // Only the registry makes a `Statement`; this closes the way around it.
    'no-bare-query': without({
      selector: 'CallExpression[callee.property.name="query"][callee.object.type!="ThisExpression"]',
      message: 'Run a registered statement (execute, uow.write): a test prepares each of them.',
    }),
    'no-clock': without(
      { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: 'Pass the time in.' },
      {
        selector: 'MemberExpression[object.name="Date"][property.name="now"]',
        message: 'Pass the time in.',
      },
      {
        selector: 'MemberExpression[object.name="Math"][property.name="random"]',
        message: 'Pass the random number in.',
      },
    ),
    // V8 gives every such object a hidden class of its own: see docs/performance.md, "What the hot path keeps to".
    'no-leading-spread': without({
      selector: 'ObjectExpression > SpreadElement:first-child ~ Property',
      message: 'On the hot path, put what is added before the spread: { added, ...one }.',
    }),
  },
};
