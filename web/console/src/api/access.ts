/**
 * Who is signed in. The access token lives in this tab's memory and nowhere else; the refresh token is a cookie that no
 * script can read. All tabs share the cookie, so they take turns at refreshing, and a sign-out in one ends all of them.
 */
import { showPasskey } from './passkeys.js';
import { Problem, problemOf } from './problem.js';
import { reach } from './reach.js';

export interface Grant {
  readonly accessToken: string;
  readonly expiresIn: number;
  readonly operatorId: string;
}

/** `STARTING` until the cookie was asked; `OUT` with the reason that the sign-in page tells. */
export type Access =
  | { readonly state: 'STARTING' }
  | { readonly state: 'OUT'; readonly reason: 'NEW' | 'LEFT' | 'ENDED' }
  | { readonly state: 'IN'; readonly operatorId: string };

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly totp?: string;
  readonly recoveryCode?: string;
  /** The key of the organisation that is meant, where the address belongs to several. */
  readonly organisation?: string;
}

const CSRF_COOKIES = ['__Secure-vigia_csrf', 'vigia_csrf'];
// A token that ends while a call is under way would be refused: refresh a little before.
const MARGIN_MS = 20_000;
// An answer that does not come is none: the person is told, and may try again.
const LIMIT_MS = 30_000;

let access: Access = { state: 'STARTING' };
let token: { readonly value: string; readonly until: number } | null = null;
let refreshing: Promise<string> | null = null;
const listeners = new Set<() => void>();
const tabs = new BroadcastChannel('vigia-console');

export const currentAccess = (): Access => access;

export function onAccess(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function become(next: Access): void {
  if (next.state !== 'IN') token = null;
  access = next;
  for (const listener of listeners) listener();
}

function accept(grant: Grant): string {
  token = { value: grant.accessToken, until: Date.now() + grant.expiresIn * 1_000 };
  if (access.state !== 'IN' || access.operatorId !== grant.operatorId) {
    become({ state: 'IN', operatorId: grant.operatorId });
  }
  return grant.accessToken;
}

tabs.onmessage = ({ data }: MessageEvent<unknown>) => {
  if (data === 'LEFT' && access.state === 'IN') become({ state: 'OUT', reason: 'LEFT' });
  // Somebody has signed in beside this tab: it goes on as the same person, or not at all.
  if (data === 'ENTERED') void resume();
};

/** Takes the session of the cookie up, where there is one. */
export async function resume(): Promise<void> {
  if (csrfToken() === null) {
    become({ state: 'OUT', reason: access.state === 'IN' ? 'LEFT' : 'NEW' });
    return;
  }
  try {
    await refresh();
  } catch (error) {
    // Without an answer nobody knows whether the session lives: the page says so and offers to try again.
    if (!(error instanceof Problem) || error.passing) throw error;
  }
}

export async function signIn(credentials: Credentials): Promise<void> {
  entered(await post('/operator/auth/login', { ...credentials, cookie: true }));
}

/** Password and passkey: a touch is enough. */
export async function signInBesidePassword(credentials: Credentials): Promise<void> {
  const passkey = await assertion('preferred');
  entered(await post('/operator/auth/login', { ...credentials, passkey, cookie: true }));
}

/** The passkey alone: the device has to know its owner. */
export async function signInWithPasskey(): Promise<void> {
  const credential = await assertion('required');
  entered(await post('/operator/auth/passkeys/verify', { credential, cookie: true }));
}

async function assertion(userVerification: 'required' | 'preferred'): Promise<unknown> {
  const { publicKey } = await post<{ publicKey: unknown }>('/operator/auth/passkeys/options', {
    userVerification,
  });
  return showPasskey(publicKey);
}

/** Makes the account of an invitation; the person signs in with it then. */
export async function acceptInvitation(token: string, password: string): Promise<void> {
  await post('/operator/auth/invitations/accept', { token, password });
}

/** Makes the first account of a new service with the token that its command printed, and signs it in. */
export async function setUp(account: {
  readonly token: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
}): Promise<void> {
  await post('/operator/auth/setup', account);
  await signIn({ email: account.email, password: account.password });
}

function entered(grant: Grant): void {
  accept(grant);
  tabs.postMessage('ENTERED');
}

/** Ends the session, here and in the other tabs, also when the service does not answer. */
export async function signOut(everywhere = false): Promise<void> {
  const bearer = token?.value;
  become({ state: 'OUT', reason: 'LEFT' });
  tabs.postMessage('LEFT');
  if (bearer === undefined) return;
  const path = everywhere ? '/operator/auth/logout-everywhere' : '/operator/auth/logout';
  await post(path, undefined, { authorization: `Bearer ${bearer}` });
}

/** An access token that is good now. */
export async function accessToken(): Promise<string> {
  if (token !== null && token.until - MARGIN_MS > Date.now()) return token.value;
  return refresh();
}

/** The service refused the token before its time: ended from elsewhere, or the clock of this computer is wrong. */
export function forgetToken(): void {
  token = null;
}

async function refresh(): Promise<string> {
  refreshing ??= inTurn(async () => {
    const csrf = csrfToken();
    if (csrf === null) throw new Problem('CREDENTIALS_MISSING', 401);
    return accept(await post('/operator/auth/refresh', {}, { 'x-csrf-token': csrf }));
  }).finally(() => {
    refreshing = null;
  });
  try {
    return await refreshing;
  } catch (error) {
    if (error instanceof Problem && !error.passing && access.state !== 'OUT') {
      become({ state: 'OUT', reason: access.state === 'IN' ? 'ENDED' : 'NEW' });
    }
    throw error;
  }
}

/**
 * A refresh token is good once, and one that comes twice ends the session; so only one tab refreshes at a time, with the
 * cookie as it is then. Browsers have locks in secure contexts only; elsewhere the tabs hope.
 */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const locks = (navigator as { readonly locks?: LockManager }).locks;
  return locks === undefined ? work() : locks.request('vigia-refresh', work);
}

async function post<T = Grant>(
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<T> {
  const response = await reach(
    new Request(new URL(path, location.origin), {
      method: 'POST',
      credentials: 'same-origin',
      cache: 'no-store',
      // Goes on when the page is left: the cookie of the answer must not get lost.
      keepalive: true,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    }),
    LIMIT_MS,
  );
  const answer: unknown = await response.json().catch(() => {
    throw new Problem('OFFLINE', 0);
  });
  if (!response.ok) throw problemOf(response, answer);
  return (answer as { readonly data: T }).data;
}

function csrfToken(): string | null {
  for (const part of document.cookie.split('; ')) {
    const [name = '', ...value] = part.split('=');
    if (CSRF_COOKIES.includes(name)) return value.join('=');
  }
  return null;
}
