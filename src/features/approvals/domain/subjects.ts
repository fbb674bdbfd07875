import { publicId, uuidOf, type IdPrefix } from '../../../platform/kernel/index.js';
import type { ApprovalAction } from './act-names.js';

/** The public form of the id of an act's object, and the path of the route that returns the object. */
interface SubjectForm {
  readonly prefix: IdPrefix;
  /** Null if no route returns the object: it exists only after the approval, or is part of another object. */
  readonly path: string | null;
}

const subject = (prefix: IdPrefix, path: string | null = null): SubjectForm => ({ prefix, path });

const CASE = subject('rev', '/operator/reviews');
const COMMUNICATION = subject('com', '/operator/coaf/communications');
const HIT = subject('hit', '/operator/hits');
const CUSTOMER = subject('cus', '/operator/customers');
const LOOK_BACK = subject('lbk');

const subjects: Readonly<Record<ApprovalAction, SubjectForm>> = {
  'case.close': CASE,
  'communication.file': COMMUNICATION,
  'communication.dismiss': COMMUNICATION,
  'hit.decide': HIT,
  'hit.reopen': HIT,
  'freeze.lift': subject('frz', '/operator/freezes'),
  'ruleset.publish': subject('rst'),
  'ruleset.look_back': LOOK_BACK,
  'rule.snooze': subject('snz'),
  'house.change': subject('hsc'),
  'list.change': subject('lst', '/operator/lists'),
  'list.import': subject('imp'),
  'list.look_back': LOOK_BACK,
  'customer.lower_risk': CUSTOMER,
  'customer.lift_legal_hold': CUSTOMER,
  'customer.erase': CUSTOMER,
  'fact.confirm': CUSTOMER,
  'dead_letter.discard': subject('dsc'),
  'trail.repair': subject('rep', '/operator/audit/repairs'),
  'log.restart': subject('rin'),
  'fx.import': subject('fxi'),
  'flow.publish': subject('flw'),
  'provider.publish': subject('prv'),
  'operator.invite': subject('inv'),
  'client_app.grant': subject('app', '/operator/client-apps'),
  'operator.empower': subject('opr', '/operator/operators'),
};

/** The public id of an act's object. */
export const subjectIdOf = (act: ApprovalAction, id: string): string => publicId(subjects[act].prefix, id);

/** Parses a public id into the stored id; null if the id is not of the kind of object that the act changes. */
export const subjectUuidOf = (act: ApprovalAction, id: string): string | null =>
  uuidOf(subjects[act].prefix, id);

/** The path of the route that returns the object; null if no route returns it. */
export function subjectPathOf(act: ApprovalAction, id: string): string | null {
  const { path } = subjects[act];
  return path === null ? null : `${path}/${subjectIdOf(act, id)}`;
}
