import { table } from '../../platform/kernel/table.js';

/** The tags, grouped by task. A document contains the tags of its own operations, in this order. */
export const TAGS: Readonly<Record<string, string>> = table({
  // Log in.
  Login: 'Gets an access token, which this page then uses.',
  Me: 'The operator who calls: account, second factor, sessions.',
  // Submit transactions and read their results.
  KYT: 'Submit transactions and read their results.',
  Transactions: 'Transactions with every evaluation, for operators.',
  'Dead letters': 'Transactions that were given up, and their replay.',
  Events: 'Events in the order of their feed, and the deliveries of one.',
  'Webhook endpoints': 'Where events go: addresses, secrets, states, statistics.',
  'Webhook deliveries': 'One event at one endpoint: attempts, state, sending again.',
  Webhooks: 'What the service sends to your endpoints.',
  Sandbox: 'What can be provoked outside of production, to try an integration.',
  Requests: 'What an application asked for in the last thirty days, without values.',
  // Verify people.
  'Verification sessions': 'Sessions: links, results, evidence.',
  'Flow sessions': 'What the page of a verification session reads and sends; the link is the key.',
  Flows: 'What people are asked for in a verification, in versions.',
  Artifacts: 'Uploaded files, and views of them.',
  'Check providers': 'Who is asked about documents, faces and registers: terms, order, cost and health.',
  'Privacy notice': 'What people are told about their data before they are asked for it, in versions.',
  'Re-verification': 'How often customers are verified again.',
  // Decide.
  Workspace: 'What the screens of operators read and do at once.',
  Search: 'One search for people, cases and payments.',
  Reviews: 'Cases: what a person has to look at, and what was decided.',
  Screening: 'Lists, imports, hits and what is decided about them.',
  Customers: 'Who the customers are: records, profiles, merges, erasure.',
  Approvals: 'What two people decide: requests, and what became of them.',
  Dossiers: 'Everything that is known about a customer or a case, in one file.',
  COAF: 'Communications to COAF: drafts, edits, filings.',
  Figures: 'Figures for compliance.',
  // Write rules.
  Rules: 'Rules, their checks and how they are silenced.',
  Rulesets: 'Published sets of rules, and how they go live.',
  'Back-tests': 'Stored evaluations before another ruleset.',
  'Look-backs': 'What is new, the live rules or a list, over what was judged before it was there.',
  'Custom fields': 'What the metadata of the institution means, for rules and windows.',
  'Exchange rates': 'Rates by which amounts are converted.',
  // Operations and accountability.
  'Client applications': 'Applications, their secrets, scopes and limits; what end users see of them.',
  Operators: 'People and machines that operate the service.',
  Audit: 'The audit log: trails, proofs, exports, repairs.',
  Health: 'Whether the service lives and is ready; metrics.',
  Console: 'The files of the operator console.',
});
