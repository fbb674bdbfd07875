import { settingDefinitions } from '../../../src/platform/config/index.js';

/** The parts of a definition that the page shows. */
interface DocumentedSetting {
  readonly env: string;
  readonly doc: string;
  readonly kind: string;
  readonly group: string;
  readonly fallback?: unknown;
}

/** docs/generated/settings.md, from the one table of settings. */
export function settingsMarkdown(): string {
  const settings: readonly DocumentedSetting[] = Object.values(settingDefinitions);
  const groups = [...new Set(settings.map(({ group }) => group))];
  return [
    '# Settings',
    '',
    'Generated from `src/platform/config/settings.ts` by `npm run docs`.',
    '',
    'Settings are environment variables. They are read once, at the start; all that are wrong are named together, without their values. An empty variable counts as not set. `npm start` sets `NODE_ENV`, the URLs of the servers that it brings, and the four secrets; every other start needs them.',
    '',
    ...groups.flatMap((group) =>
      section(
        group,
        settings.filter((setting) => setting.group === group),
      ),
    ),
    ...RULES,
    ...LAUNCHER,
  ].join('\n');
}

const section = (group: string, settings: readonly DocumentedSetting[]): string[] => [
  `## ${group}`,
  '',
  '| variable | value | default | what it does |',
  '|---|---|---|---|',
  ...settings.map(
    (setting) => `| \`${setting.env}\` | ${setting.kind} | ${defaultOf(setting)} | ${setting.doc} |`,
  ),
  '',
];

function defaultOf({ fallback }: DocumentedSetting): string {
  if (fallback === undefined) return '**required**';
  if (fallback === null || (Array.isArray(fallback) && fallback.length === 0)) return 'not set';
  // Text without its quotes, a list without its brackets.
  return `\`${JSON.stringify(fallback).replaceAll(/^["[]|["\]]$/g, '')}\``;
}

const RULES = [
  '## What has to fit together',
  '',
  '- `DATABASE_URL` is required by every start but `npm start`.',
  '- `REDIS_URL` is required when `ROLE` is `api` or `worker`, and in production.',
  '- With `NODE_ENV=production`: `WEBHOOK_REQUIRE_HTTPS=false` and `WEBHOOK_ALLOW_CIDRS` are refused, plain HTTP is answered with `HTTPS_REQUIRED`, webhook targets on loopback are refused, and the database must not run with `fsync=off` or `synchronous_commit=off`.',
  '- `DATABASE_URL` must not connect as the owner of the tables or as a superuser.',
  '',
];

const LAUNCHER = [
  '## For `npm start` only',
  '',
  '| variable | what it does |',
  '|---|---|',
  '| `POSTGRES_BIN` | Folder with `initdb` and `postgres` to use instead of the PostgreSQL that `npm ci` brought. |',
  '| `REDIS_BIN` | Path of a `redis-server` or `valkey-server`; `none` starts without Redis. |',
  '| `LAUNCHER_USER_NAMESPACE` | `off`: as root, run PostgreSQL as the account `postgres` or `nobody` instead of in a user namespace. |',
  '',
];
