/** The arrows of docs/architecture.md: a feature may import only what stands in its row, and only through index.ts. */
const arrows = {
  audit: [],
  approvals: ['audit'],
  repairs: ['audit', 'approvals'],
  webhooks: ['audit'],
  auth: ['audit'],
  'hosted-page': [],
  // Serves its pages with the same code.
  console: ['hosted-page'],
  operators: ['audit', 'approvals', 'auth'],
  rules: ['audit', 'approvals'],
  fx: ['audit', 'approvals'],
  customers: ['audit', 'approvals', 'webhooks'],
  screening: ['audit', 'approvals', 'customers'],
  uploads: ['audit', 'customers'],
  reviews: ['audit', 'approvals', 'operators', 'customers', 'screening', 'uploads'],
  providers: ['audit', 'approvals'],
  sessions: [
    'audit',
    'providers',
    'approvals',
    'webhooks',
    'auth',
    'customers',
    'screening',
    'rules',
    'reviews',
    'uploads',
  ],
  kyt: ['audit', 'approvals', 'webhooks', 'rules', 'fx', 'customers', 'screening', 'reviews', 'sessions'],
  search: ['audit', 'customers', 'screening', 'uploads', 'reviews', 'sessions', 'kyt'],
  workspace: [
    ...[
      'audit',
      'approvals',
      'auth',
      'rules',
      'customers',
      'screening',
      'uploads',
      'reviews',
      'sessions',
      'kyt',
    ],
    ...['operators', 'dossiers', 'search'],
  ],
  // Reads everything, and nothing below knows it.
  dossiers: [
    ...['audit', 'approvals', 'auth', 'webhooks', 'rules', 'fx', 'customers', 'screening', 'uploads'],
    ...['reviews', 'sessions', 'kyt', 'operators'],
  ],
};
const features = Object.keys(arrows);
const oneOf = (names) => `^src/features/(${names.join('|')})/`;

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'platform-knows-no-feature',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: '^src/(?!platform/)' },
    },
    {
      name: 'features-know-no-bootstrap',
      severity: 'error',
      comment: 'It puts them together.',
      from: { path: '^src/features/' },
      to: { path: '^src/(?!(platform|features)/)' },
    },
    ...features.map((feature) => ({
      name: `${feature}-arrows`,
      severity: 'error',
      from: { path: `^src/features/${feature}/` },
      to: { path: oneOf(features), pathNot: oneOf([feature, ...arrows[feature]].filter(Boolean)) },
    })),
    ...features.map((feature) => ({
      name: `${feature}-front-door`,
      severity: 'error',
      from: { pathNot: [`^src/features/${feature}/`, '^ormconfig\\.ts$'] },
      to: { path: `^src/features/${feature}/`, pathNot: `^src/features/${feature}/index\\.ts$` },
    })),
    {
      name: 'domain-is-pure',
      severity: 'error',
      comment: 'Domain code knows no framework and no database.',
      from: { path: '^src/features/[a-z-]+/domain/', pathNot: '\\.spec\\.ts$' },
      to: { path: 'node_modules/(@nestjs|typeorm|pg|bull|express|ioredis)/' },
    },
    {
      name: 'api-does-not-write',
      severity: 'error',
      comment: 'Controllers call services; only reading projections are shared with the store.',
      from: { path: '^src/features/[a-z-]+/api/' },
      to: { path: '^src/features/[a-z-]+/store/', pathNot: '\\.queries\\.ts$' },
    },
    {
      name: 'service-knows-no-command-line',
      severity: 'error',
      comment: 'It works on the modules, and nothing works on it.',
      from: { path: '^src/', pathNot: '^src/cli/' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'service-knows-no-launcher',
      severity: 'error',
      comment: 'The image runs the service without it.',
      from: { path: '^src/' },
      to: { path: '^launcher/' },
    },
    {
      name: 'launcher-starts-the-service',
      severity: 'error',
      comment: 'It migrates, seeds and starts; how the service works is not its business.',
      from: { path: '^launcher/' },
      to: {
        path: '^src/',
        pathNot: [
          '^src/bootstrap/service\\.ts$',
          '^src/platform/config/index\\.ts$',
          '^src/bootstrap/migrate\\.ts$',
          '^src/platform/database/connection/(app-role|with-client)\\.ts$',
          '^src/cli/(runtime-env|demo/seed-demo|commands/operators\\.command)\\.ts$',
        ],
      },
    },
    {
      name: 'sdk-by-its-name',
      severity: 'error',
      comment: 'What integrators install is taken as #vigia/client and #vigia/cli, not by where it lies.',
      from: { path: '^(src|launcher)/' },
      to: { path: '^sdk/' },
    },
    { name: 'no-orphans', severity: 'error', from: { orphan: true, pathNot: '\\.spec\\.ts$' }, to: {} },
    {
      name: 'not-to-dev-dependency',
      severity: 'error',
      from: { path: '^(src|sdk)/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.spec\\.ts$' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
};
