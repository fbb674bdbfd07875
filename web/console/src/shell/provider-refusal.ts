import { Problem } from '../api/problem.js';

/** Codes of the service that have words of their own here; any other one is a login that the service did not accept. */
const TOLD: ReadonlyMap<string, string> = new Map([
  ['INVITATION_INVALID', 'INVITATION_INVALID'],
  ['OPERATOR_DISABLED', 'OPERATOR_DISABLED'],
  ['IDENTITY_PROVIDER_NOT_CONFIGURED', 'IDENTITY_PROVIDER_NOT_CONFIGURED'],
  ['NOT_READY', 'NOT_READY'],
  ['STATE_CONFLICT', 'PROVIDER_ADDRESS_TAKEN'],
]);

function take(): Problem | null {
  const { pathname, search } = location;
  const sent = new URLSearchParams(search);
  const refused = sent.get('refused');
  if (refused === null) return null;
  // A reload or a bookmark does not tell it again.
  history.replaceState(history.state, '', pathname);
  const request = sent.get('request');
  const id = request !== null && /^req_[0-9a-f]{32}$/.test(request) ? request : null;
  return new Problem(TOLD.get(refused) ?? 'PROVIDER_LOGIN_REFUSED', 401, id);
}

/**
 * Why the login with the identity provider that led here was refused, or null. Anybody can write such an address: of it
 * only a code that is known and an id are taken, never a text.
 */
export const providerRefusal = take();
