/**
 * Where each test file belongs. What is not named here is in the first stage, which `npm test` and every change run. The
 * other parts run by `npm run test:all`, or one of them by `npm run test:all -- PART`; what is heard of there too late
 * for a change belongs in the first stage, in a short form. `again` names files of other parts that do more in this one.
 */
export const parts = {
  first: { about: 'The first stage, with random seeds.' },
  long: {
    about: 'Takes long: many rows, many orders, many waits.',
    files: [
      'src/cli/streams/labelled-stream.spec.ts',
      'src/cli/streams/recall.spec.ts',
      'src/platform/kernel/work/heap-guard.spec.ts',
      'src/features/kyt/replay/ordinary-customers.spec.ts',
      'test/contract/fuzz.spec.ts',
      'test/heavy/aggregates.spec.ts',
      'test/heavy/attack-scripts.spec.ts',
      'test/heavy/audit-pruning.spec.ts',
      'test/heavy/delivery-order.spec.ts',
      'test/heavy/desk-plans.spec.ts',
      'test/heavy/fuzz.spec.ts',
      'test/heavy/guides.spec.ts',
      'test/heavy/index-keys.spec.ts',
      'test/heavy/missing-inputs.spec.ts',
      'test/heavy/ordinary-customers.spec.ts',
      'test/heavy/read-me.spec.ts',
      'test/heavy/receipts.spec.ts',
      'test/heavy/webhook-cli.spec.ts',
      'test/integration/audit-watch.spec.ts',
      'test/integration/first-start.spec.ts',
      'test/integration/image-quality.spec.ts',
      'test/integration/image.spec.ts',
      'test/integration/query-rows.spec.ts',
      'test/integration/recovery.spec.ts',
      'test/integration/webhook-promises.spec.ts',
    ],
    again: [
      'test/contract/authentication.spec.ts',
      'test/contract/client-apps.spec.ts',
      'test/contract/refusals.spec.ts',
      'test/contract/sessions.spec.ts',
      'test/contract/webhook-management.spec.ts',
      'test/integration/attacks.spec.ts',
      'test/integration/audit-guard.spec.ts',
      'test/integration/boot-matrix.spec.ts',
      'test/integration/bound-rows.spec.ts',
      'test/integration/dossiers.spec.ts',
      'test/integration/golden-cases.spec.ts',
      'test/integration/integrator-cli.spec.ts',
      'test/integration/late-events.spec.ts',
      'test/integration/look-backs.spec.ts',
      'test/integration/sandbox-scenarios.spec.ts',
      'test/integration/screening.spec.ts',
      'test/integration/uploads.spec.ts',
    ],
  },
  browser: {
    about: 'What people see, in Chromium.',
    files: [
      'test/browser/console.spec.ts',
      'test/browser/console-budget.spec.ts',
      'test/browser/console-dialogs.spec.ts',
      'test/browser/console-keys.spec.ts',
      'test/browser/console-upset.spec.ts',
      'test/browser/developer-pages.spec.ts',
      'test/browser/page-answers.spec.ts',
      'test/browser/verify-page.spec.ts',
      'test/heavy/console-long-queue.spec.ts',
      'test/heavy/console-screens.spec.ts',
      'test/heavy/page-camera.spec.ts',
      'test/heavy/swagger-ui.spec.ts',
      'test/heavy/verify-page.spec.ts',
    ],
    again: ['test/browser/console-story.spec.ts'],
  },
  languages: {
    about: 'Clients and verifiers in Python, Go, PHP, Java and C#.',
    files: [
      'test/heavy/client-packages.spec.ts',
      'test/heavy/developer-snippets.spec.ts',
      'test/heavy/merkle-in-python.spec.ts',
    ],
    again: [
      'test/contract/clients.spec.ts',
      'test/contract/webhook-verification.spec.ts',
      'test/e2e/audit-package.spec.ts',
    ],
  },
  crash: {
    about: 'Processes and servers are killed under load.',
    alone: true,
    files: [
      'test/crash/crash.spec.ts',
      'test/heavy/approvals-killed.spec.ts',
      'test/heavy/decisions-killed.spec.ts',
      'test/heavy/merges-killed.spec.ts',
      'test/heavy/sessions-crash.spec.ts',
      'test/heavy/streams-killed.spec.ts',
      'test/integration/sessions-crash.spec.ts',
    ],
    also: ['node', 'test/crash/run.mjs'],
  },
  faults: {
    about: 'What is promised in seconds when something breaks.',
    alone: true,
    files: ['test/faults/alerts.spec.ts', 'test/faults/black-hole-times.spec.ts'],
  },
  measures: {
    about: 'Times, sizes and rates: with the machine for itself.',
    alone: true,
    files: [
      'test/heavy/audit-costs.spec.ts',
      'test/heavy/audit-figures.spec.ts',
      'test/heavy/audit-watch-times.spec.ts',
      'test/heavy/case-pages.spec.ts',
      'test/heavy/client-timing.spec.ts',
      'test/heavy/customer-profiles.spec.ts',
      'test/heavy/dossier.spec.ts',
      'test/heavy/hostile-neighbour.spec.ts',
      'test/heavy/lane-and-controller.spec.ts',
      'test/heavy/long-numbers.spec.ts',
      'test/heavy/operator-timing.spec.ts',
      'test/heavy/page-walk.spec.ts',
      'test/heavy/screening-beside-ingest.spec.ts',
      'test/heavy/search.spec.ts',
      'test/heavy/session-guesses.spec.ts',
      'test/heavy/two-api-processes.spec.ts',
      'test/heavy/uploads-beside-ingest.spec.ts',
      'test/heavy/webhook-delivery.spec.ts',
    ],
  },
  promises: {
    about: 'Files of the other parts again, in whole sizes; promised times are held.',
    alone: true,
    again: [
      'test/contract/authentication.spec.ts',
      'test/contract/client-apps.spec.ts',
      'test/contract/operator-login.spec.ts',
      'test/e2e/audit-package.spec.ts',
      'test/heavy/swagger-ui.spec.ts',
      'test/integration/audit-guard.spec.ts',
      'test/integration/dossiers.spec.ts',
      'test/integration/evidence-provider.spec.ts',
      'test/integration/image-quality.spec.ts',
      'test/integration/late-seals.spec.ts',
      'test/integration/outbound-proxy.spec.ts',
      'test/integration/rate-limits.spec.ts',
      'test/integration/recovery.spec.ts',
      'test/integration/reviews.spec.ts',
      'test/integration/rulesets.spec.ts',
      'test/integration/uploads.spec.ts',
      'test/integration/webhooks.spec.ts',
    ],
  },
};

const elsewhere = Object.values(parts).flatMap(({ files = [] }) => files);

/** The `testMatch` and `testPathIgnorePatterns` of a part, for the tests in `folder`; null where it has none. */
export function matchesOf(part, folder) {
  const { files = [], again = [] } = parts[part];
  const inFolder = (names) =>
    names.filter((name) => name.startsWith(`${folder}/`)).map((name) => `<rootDir>/${name}`);
  if (part === 'first')
    return { testMatch: [`<rootDir>/${folder}/**/*.spec.ts`], testPathIgnorePatterns: inFolder(elsewhere) };
  const testMatch = inFolder([...files, ...again]);
  return testMatch.length > 0 ? { testMatch } : null;
}
