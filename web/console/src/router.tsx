import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type ErrorComponentProps,
} from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Empty, Failure } from './parts/answers.js';
import { Shell } from './shell/shell.js';
import { shellTexts } from './shell/texts.js';
import { useTexts } from './texts/language.js';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: Crashed });

/** A screen is loaded when it is opened. */
const screen = (path: string, load: () => Promise<Record<string, unknown>>, name: string) =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load, name) });

const routes = [
  screen('/', () => import('./screens/home/home.js'), 'HomeScreen'),
  screen('/cases', () => import('./screens/cases/cases.js'), 'CasesScreen'),
  screen('/cases/$id', () => import('./screens/case/case.js'), 'CaseScreen'),
  screen('/hits/$id', () => import('./screens/hit/hit.js'), 'HitScreen'),
  screen('/approvals', () => import('./screens/approvals/approvals.js'), 'ApprovalsScreen'),
  screen('/customers', () => import('./screens/customers/customers.js'), 'CustomersScreen'),
  screen('/customers/$id', () => import('./screens/customers/customer.js'), 'CustomerScreen'),
  screen('/transactions', () => import('./screens/transactions/transactions.js'), 'TransactionsScreen'),
  screen('/transactions/$id', () => import('./screens/transactions/transaction.js'), 'TransactionScreen'),
  screen('/coaf', () => import('./screens/coaf/coaf.js'), 'CoafScreen'),
  screen('/coaf/$id', () => import('./screens/coaf/communication.js'), 'CommunicationScreen'),
  screen('/sessions', () => import('./screens/sessions/sessions.js'), 'SessionsScreen'),
  screen('/sessions/$id', () => import('./screens/sessions/session.js'), 'SessionScreen'),
  screen('/flows', () => import('./screens/flows/flows.js'), 'FlowsScreen'),
  screen('/flows/$key', () => import('./screens/flows/flow.js'), 'FlowScreen'),
  screen('/rules', () => import('./screens/rules/rules.js'), 'RulesScreen'),
  screen('/rules/$key', () => import('./screens/rules/rule.js'), 'RuleScreen'),
  screen('/rulesets/$key/$version', () => import('./screens/rules/ruleset.js'), 'RulesetScreen'),
  screen('/lists', () => import('./screens/lists/lists.js'), 'ListsScreen'),
  screen('/lists/$id', () => import('./screens/lists/list.js'), 'ListScreen'),
  screen('/apps', () => import('./screens/apps/apps.js'), 'AppsScreen'),
  screen('/webhooks', () => import('./screens/apps/webhooks.js'), 'WebhooksScreen'),
  screen('/audit', () => import('./screens/audit/audit.js'), 'AuditScreen'),
  screen('/look-backs', () => import('./screens/look-backs/look-backs.js'), 'LookBacksScreen'),
  screen('/look-backs/$id', () => import('./screens/look-backs/look-back.js'), 'LookBackScreen'),
  screen('/freezes', () => import('./screens/freezes/freezes.js'), 'FreezesScreen'),
  screen('/providers', () => import('./screens/providers/providers.js'), 'ProvidersScreen'),
  screen('/requests', () => import('./screens/requests/requests.js'), 'RequestsScreen'),
  screen('/settings', () => import('./screens/settings/settings.js'), 'SettingsScreen'),
  screen('/custom-fields', () => import('./screens/custom-fields/custom-fields.js'), 'CustomFieldsScreen'),
  screen('/figures', () => import('./screens/figures/figures.js'), 'FiguresScreen'),
  screen('/people', () => import('./screens/people/people.js'), 'PeopleScreen'),
  screen('/account', () => import('./screens/account/account.js'), 'AccountScreen'),
  screen('/dead-letters', () => import('./screens/dead-letters/dead-letters.js'), 'DeadLettersScreen'),
];

export const router = createRouter({
  routeTree: root.addChildren(routes),
  basepath: '/console',
  defaultPreload: 'intent',
  // A screen that fails leaves the rail and the search where they are.
  defaultErrorComponent: Crashed,
  scrollRestoration: true,
});

function NotFound(): ReactElement {
  const t = useTexts(shellTexts);
  return <Empty title={t.notFound}>{t.notFoundHint}</Empty>;
}

function Crashed({ error, reset }: ErrorComponentProps): ReactElement {
  const t = useTexts(shellTexts);
  return (
    <div className="stack">
      <h1>{t.crashed}</h1>
      <Failure error={error} retry={reset} />
    </div>
  );
}
