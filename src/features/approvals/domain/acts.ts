import type { SubjectType } from '../../audit/index.js';
import type { Permission } from '../../../platform/http/index.js';
import type { ApprovalAction } from './act-names.js';

/** The rules for an act that two people must agree on. Times are in hours and days. */
export interface ApprovalPolicy {
  /** The effect of the approved change, in words. */
  readonly effect: string;
  /** The kind of object that the act changes. */
  readonly subject: SubjectType;
  /** The permission to request the act; the route of the request declares the same permission. */
  readonly ask: Permission;
  /** The permission to approve or refuse the act; always with a second factor. */
  readonly approve: Permission;
  /** Hours between the approval and its effect, in which the request can still be withdrawn. */
  readonly waitsHours: number;
  /** Days within which a request can be approved. */
  readonly livesDays: number;
  /** How an operator can undo the effect, in words. */
  readonly undo: string;
}

const policy = (
  subject: SubjectType,
  [ask, approve]: readonly [ask: Permission, approve: Permission],
  effect: string,
  undo: string,
  { waitsHours = 0, livesDays = 14 }: Partial<Pick<ApprovalPolicy, 'waitsHours' | 'livesDays'>> = {},
): ApprovalPolicy => ({ subject, ask, approve, effect, undo, waitsHours, livesDays });

const DECISION = ['reviews:decide', 'reviews:approve'] as const;
const HIT = ['hits:decide', 'reviews:approve'] as const;
const RULES = ['rules:publish', 'rules:publish'] as const;
const LISTS = ['lists:manage', 'lists:manage'] as const;
const ERASURE = ['customers:erase', 'customers:erase'] as const;
const REPAIR = ['audit:repair', 'audit:repair'] as const;
const PEOPLE = ['operators:manage', 'operators:manage'] as const;
const RATES = ['settings:manage', 'settings:manage'] as const;
const FLOWS = ['flows:manage', 'flows:manage'] as const;
const FACTS = ['reviews:work', 'reviews:approve'] as const;
const APPS = ['apps:secrets', 'apps:secrets'] as const;
const DISCARD = ['kyt:replay', 'kyt:replay'] as const;

/**
 * The policy of each act that needs two people. Database triggers refuse each of these effects without an approved
 * request, except `fact.confirm`: a trigger cannot read an encrypted profile.
 */
export const acts: Readonly<Record<ApprovalAction, ApprovalPolicy>> = {
  'case.close': policy(
    'review',
    DECISION,
    'A case ends, and its transactions have the outcome.',
    'Take the case up again, as a new case.',
  ),
  'communication.file': policy(
    'communication',
    DECISION,
    'What was recorded as filed with COAF counts as filed.',
    'Not undone: COAF knows.',
  ),
  'communication.dismiss': policy(
    'communication',
    DECISION,
    'A wrong draft of a communication to COAF is given up.',
    'Not undone: take the case up again and decide anew.',
  ),
  'hit.decide': policy(
    'screening_hit',
    HIT,
    'A hit that forces a decision is confirmed or dismissed, and that is remembered.',
    'Ask for `hit.reopen`; it is open again when the entry changes, and a dismissal after 365 days.',
  ),
  'hit.reopen': policy(
    'screening_hit',
    HIT,
    'A disposition is taken back, and what it let through is judged again.',
    'Propose the disposition again.',
  ),
  'freeze.lift': policy(
    'freeze',
    HIT,
    'A frozen person is held no longer.',
    'Reopen the hit and confirm it again.',
  ),
  'ruleset.publish': policy(
    'ruleset',
    RULES,
    'A version goes live, and the one before is archived.',
    'Roll back to the version before.',
  ),
  'ruleset.look_back': policy(
    'look_back',
    RULES,
    'A version is run over the last days; what it would have made an alert of opens or joins cases.',
    'Cancel the run; the cases that it has opened stay, and are decided.',
  ),
  'rule.snooze': policy(
    'ruleset',
    RULES,
    'A live rule is silent for a time.',
    'Lift the snooze: one person.',
  ),
  'house.change': policy(
    'house_schema',
    RULES,
    'The metadata of transactions is read, and checked at their door, by other fields of the house.',
    'Ask for the former fields.',
  ),
  'list.change': policy(
    'screening_list',
    LISTS,
    'Thresholds, staleness or use of a list change.',
    'Ask for the former values.',
  ),
  'list.import': policy(
    'screening_list',
    LISTS,
    'An import takes effect that begins a list of sanctions or PEPs, weakens a list, or clears people.',
    'Import the former file again.',
  ),
  'list.look_back': policy(
    'look_back',
    LISTS,
    'A list is asked about the people of the last days; whom it names now opens or joins cases.',
    'Cancel the run; the cases that it has opened stay, and are decided.',
  ),
  'customer.lower_risk': policy(
    'customer',
    DECISION,
    'The risk level of a customer becomes lower.',
    'Set the higher level: one person.',
  ),
  'fact.confirm': policy(
    'customer',
    FACTS,
    'What one operator wrote down about a customer also counts where it makes a result better.',
    'Write down what is right: one person.',
  ),
  'customer.lift_legal_hold': policy(
    'customer',
    ERASURE,
    'A legal hold ends, so that the data may be erased.',
    'Place the hold again: one person.',
  ),
  'customer.erase': policy(
    'customer',
    ERASURE,
    'The keys of a person are destroyed, and with them their data.',
    'Withdraw it while it waits; afterwards never.',
    { waitsHours: 72 },
  ),
  'dead_letter.discard': policy(
    'discard',
    DISCARD,
    'Dead transactions are never evaluated.',
    'Not undone: the integrator sends them under new ids.',
  ),
  'trail.repair': policy(
    'repair',
    REPAIR,
    'The gaps of a trail are answered.',
    'Not undone: it stands beside what was there, and a further change is a gap again.',
  ),
  'log.restart': policy(
    'audit_log',
    REPAIR,
    'A log that was put back goes on under a new origin.',
    'Not undone: the old log cannot be taken for the new one.',
  ),
  'fx.import': policy(
    'fx_import',
    RATES,
    'Exchange rates count from now on; those that stood for the same days stay beside them.',
    'Ask for the former rates.',
  ),
  'flow.publish': policy(
    'flow',
    FLOWS,
    'A version of a flow is what new sessions go through.',
    'Ask for the former content as the next version.',
  ),
  'provider.publish': policy(
    'provider',
    FLOWS,
    'A provider is asked about sessions, or is asked elsewhere or otherwise.',
    'Leave it alone: one person; or ask for the former version.',
  ),
  'operator.invite': policy(
    'operator_invitation',
    PEOPLE,
    'A person is invited with roles; the token goes to that person alone.',
    'Take the invitation back, or disable the operator: one person.',
  ),
  'operator.empower': policy(
    'operator',
    PEOPLE,
    'An operator has more roles, is let in again, or loses a second factor.',
    'Take the roles away, or disable the operator: one person.',
  ),
  'client_app.grant': policy(
    'client_app',
    APPS,
    'An application may write what customers declare; one that may gets another secret, or is enabled again.',
    'Take the scope away, revoke the secret, or disable the application: one person.',
  ),
};

export const policyOf = (act: ApprovalAction): ApprovalPolicy => acts[act];
