import type { Answers } from '../flow/flow.js';

/** Data that the creator of a session adds, encrypted because it may name the person. */
export interface SessionExtras {
  /** The URL that the page redirects to after the submission. */
  readonly redirectUrl: string | null;
  /** The creator's own notes, returned to nobody else. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Answers that the creator knows already; the person need not give them. */
  readonly prefill: Answers;
  /** After a submission: keys of `prefill` that the person never sent, so that the answers are not theirs. */
  readonly unsent?: readonly string[];
}

export const NO_EXTRAS: SessionExtras = { redirectUrl: null, metadata: {}, prefill: {} };

export const isEmpty = ({ redirectUrl, metadata, prefill }: SessionExtras): boolean =>
  redirectUrl === null && Object.keys(metadata).length === 0 && Object.keys(prefill).length === 0;

export const EXTRA_LIMITS = { metadataKeys: 20, metadataKey: 40, metadataValue: 500, url: 2_000 } as const;

/** True if the application has listed the redirect: the same origin, and the same path or one below. */
export function isListedRedirect(url: string, listed: readonly string[]): boolean {
  if (!URL.canParse(url)) return false;
  const address = new URL(url);
  if (address.username !== '' || address.password !== '') return false;
  return listed.some((one) => {
    const allowed = new URL(one);
    const path = allowed.pathname.endsWith('/') ? allowed.pathname : `${allowed.pathname}/`;
    return (
      address.origin === allowed.origin &&
      (address.pathname === allowed.pathname || address.pathname.startsWith(path))
    );
  });
}
