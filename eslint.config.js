import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import { remarks } from './eslint.remarks.js';
import { routesDeclareAccess } from './eslint.routes.js';

const inAllOfSrc = [
  { selector: 'TSEnumDeclaration', message: 'Use a union of literals: states and codes are the wire words.' },
  {
    selector: 'CallExpression[callee.name="forwardRef"]',
    message: 'Calls go down, messages go up: append to the outbox.',
  },
  { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
  {
    selector:
      'LogicalExpression[operator="??"] > CallExpression[callee.object.name="Buffer"][callee.property.name="alloc"]',
    message: 'A hash or a sealed value that is missing must not become an empty one: use required().',
  },
];

// As the first words of a text: statements stand where the entities stand, and a test prepares each of them.
const SQL = '/^\\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\\s/';
const noSqlText = [
  `Literal[value=${SQL}]`,
  `TemplateLiteral > TemplateElement:first-child[value.raw=${SQL}]`,
].map((selector) => ({
  selector,
  message: 'SQL text stands in store/: use the entity, or a statement of the store.',
}));

// Only the registry makes a `Statement`; this closes the way around it.
const noBareQuery = {
  selector: 'CallExpression[callee.property.name="query"][callee.object.type!="ThisExpression"]',
  message: 'Run a registered statement (execute, uow.write): a test prepares each of them.',
};

// V8 gives every such object a hidden class of its own: see docs/performance.md, "What the hot path keeps to".
const noLeadingSpread = {
  selector: 'ObjectExpression > SpreadElement:first-child ~ Property',
  message: 'On the hot path, put what is added before the spread: { added, ...one }.',
};

// Where objects are made per transaction; `domain` has rules of its own under the same name.
const hotPath = [
  'src/features/kyt/facts/**/*.fact-provider.ts',
  'src/features/kyt/{ingest/{intake-reader.service,body-encryption,transaction-preparer},pipeline/{evaluation.service,pipeline.service,transaction-decrypter}}.ts',
  'src/platform/privacy/{*,indexes/blind-index}.ts',
  'src/features/webhooks/events/event-publisher.ts',
];

/** Where SQL text runs that no test prepares. */
const unregisteredSql = [
  // Administration, as the owner: the schema may not be there yet.
  'src/platform/database/migrations/**',
  'src/bootstrap/migrate.ts',
  'src/platform/database/{regulated/{bindings,catalogue,install-bindings,pin-catalogue},connection/{app-role,app-role-check}}.ts',
  // On a connection of its own: it works without a scope, before anybody says whose rows.
  'src/platform/database/connection/{database-clock.service,connection-watch.service,session-settings,with-client}.ts',
  // What registered statements are made of, and what runs them on the driver.
  'src/platform/database/{statements/{composite,copy-out,sql},connection/scoped-client,work/{read-batch,unit-of-work}}.ts',
];

const hotPathOfDatabase = ['src/platform/database/{statements/{composite,sql},work/unit-of-work}.ts'];

/**
 * Strict rules that need no types; each exception says why. Types, and the rules that need them, are looked at in one go by
 * oxlint (`.oxlintrc.json`, `npm run types`): a tenth of the time.
 */
export default tseslint.config(
  {
    ignores: [
      'dist/**',
      'web/dist*/**',
      'web/developers/**',
      'web/console/dist*/**',
      'web/console/src/api/schema.d.ts',
      'sdk/node/src/schema.ts',
      'node_modules/**',
      '.data/**',
      'coverage/**',
      '**/*.mjs',
      '**/*.cjs',
      '*.config.js',
      'eslint.{remarks,routes}.js',
    ],
  },
  js.configs.recommended,
  tseslint.configs.strict,
  tseslint.configs.stylistic,
  {
    // Decorators make classes of types: such an import is none of a type.
    languageOptions: { parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true } },
    rules: {
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'separate-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      'no-lone-blocks': 'error',
      eqeqeq: 'error',
      curly: ['error', 'multi-line'],
      'no-console': 'error',
      // U+0000 and other control characters are what some patterns are about.
      'no-control-regex': 'off',
      'no-restricted-syntax': ['error', ...inAllOfSrc, ...routesDeclareAccess],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Settings are read once, in src/platform/config.' },
      ],
    },
  },
  {
    files: ['src/**', 'sdk/cli/**', 'launcher/**', 'tools/**', 'web/**', 'test/**', 'scripts/**'],
    plugins: { remarks },
    rules: { 'remarks/opening': 'error' },
  },
  {
    files: [
      'src/platform/config/**',
      'launcher/**',
      'src/cli/**',
      'sdk/cli/**',
      'test/**',
      'tools/**',
      'ormconfig.ts',
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
  { files: ['launcher/**'], rules: { 'no-console': 'off' } },
  {
    files: ['src/**'],
    ignores: ['src/platform/database/**', 'src/bootstrap/migrate.ts', '**/*.spec.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'typeorm',
              importNames: ['DataSource', 'Repository'],
              message:
                'Say whose rows: uow.read(organisationId, (db) => …) and uow.run(organisationId, (tx) => …).',
            },
            {
              name: '@nestjs/typeorm',
              importNames: ['InjectRepository', 'InjectDataSource', 'InjectEntityManager'],
              message: 'Say whose rows: uow.read(organisationId, (db) => db.find(MyEntity, …)).',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['src/**'],
    ignores: [...unregisteredSql, '**/*.spec.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...inAllOfSrc, ...routesDeclareAccess, ...noSqlText, noBareQuery],
    },
  },
  {
    files: ['src/**/store/**'],
    ignores: ['**/*.spec.ts'],
    rules: { 'no-restricted-syntax': ['error', ...inAllOfSrc, ...routesDeclareAccess, noBareQuery] },
  },
  {
    files: ['src/**/domain/**'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...inAllOfSrc,
        ...noSqlText,
        noBareQuery,
        { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: 'Pass the time in.' },
        {
          selector: 'MemberExpression[object.name="Date"][property.name="now"]',
          message: 'Pass the time in.',
        },
        {
          selector: 'MemberExpression[object.name="Math"][property.name="random"]',
          message: 'Pass the random number in.',
        },
      ],
    },
  },
  ...[
    { files: hotPath, rest: [...noSqlText, noBareQuery] },
    { files: hotPathOfDatabase, rest: [] },
  ].map(({ files, rest }) => ({
    files,
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...inAllOfSrc, ...routesDeclareAccess, noLeadingSpread, ...rest],
    },
  })),
  {
    // Whoever reads a screen reads it whole.
    files: ['web/console/**/*.tsx'],
    rules: { 'max-lines': ['error', 300] },
  },
  {
    // The functions of a catalogue return text, and the other language has to have the same ones.
    files: ['web/console/**/*texts.ts', 'web/console/src/texts/common.ts'],
    rules: { '@typescript-eslint/explicit-module-boundary-types': 'off' },
  },
  // `Route` holds what a handler returns against its documented answer.
  { files: ['**/*.controller.ts'], rules: { '@typescript-eslint/explicit-module-boundary-types': 'off' } },
  // TypeORM's command line wants the data source as a default export.
  { files: ['ormconfig.ts'], rules: { 'no-restricted-syntax': 'off' } },
  // A program of its own, as others write theirs.
  { files: ['test/bench/reference/**'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['test/**', '**/*.spec.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
);
