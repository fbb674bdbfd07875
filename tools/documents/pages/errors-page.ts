import { listErrors } from '../../../src/platform/kernel/index.js';

/** Renders docs/generated/errors.md from the registry of error codes. */
export function errorsMarkdown(): string {
  const table = listErrors().map(
    ({ code, status, retryable, message, remedy }) =>
      `| ${status} | \`${code}\` | ${retryable ? 'yes' : 'no'} | ${message} | ${remedy} |`,
  );
  return [
    '# Errors',
    '',
    'Generated from `src/platform/kernel/error-codes.ts` by `npm run docs`. Codes are stable; texts may be improved.',
    '',
    '| HTTP | code | retryable | meaning | what to do |',
    '|---|---|---|---|---|',
    ...table,
    '',
  ].join('\n');
}
