/**
 * The types of events that move no money. A closed set, because a rule names the types that it counts: an event whose
 * type nobody knows would be stored and never counted.
 */
export const customerEventTypes = [
  'LOGIN',
  'LOGIN_FAILED',
  'DEVICE_ENROLLED',
  'PASSWORD_CHANGED',
  'SECOND_FACTOR_CHANGED',
  'CONTACT_CHANGED',
  'LIMIT_RAISED',
  'PIX_KEY_REGISTERED',
  'PIX_KEY_REMOVED',
  'BENEFICIARY_ADDED',
] as const;

export type CustomerEventType = (typeof customerEventTypes)[number];
