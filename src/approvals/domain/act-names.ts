export const actNames = [
  'case.close',
  'communication.file',
  'hit.decide',
  'ruleset.publish',
  'rule.snooze',
  'list.change',
  'list.import',
  'customer.lower_risk',
  'customer.lift_legal_hold',
  'customer.erase',
  'dead_letter.discard',
  'trail.repair',
  'log.restart',
  'operator.invite',
  'operator.empower',
] as const;
export type Act = (typeof actNames)[number];
