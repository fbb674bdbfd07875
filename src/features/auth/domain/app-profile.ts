import { isIP } from 'node:net';
import { API_VERSIONS } from '../../../platform/config/settings.js';
import { scopes, type ApiScope } from '../../../platform/http/access/scopes.js';
import type { ErrorDetail } from '../../../platform/kernel/domain-error.js';
import { addressRange, networkOf } from '../../../platform/kernel/values/canonical/ip-address.js';
import { inputNames, type InputName } from '../../../platform/kernel/reference/inputs.js';
import { AddressSet, validateUrl, targetProblems } from '../../../platform/outbound/address-guard.js';

/** The settings of a client application. */
export interface AppProfile {
  readonly name: string;
  readonly publicName: string;
  readonly branding: { readonly logoUrl: string | null; readonly primaryColor: string | null };
  readonly scopes: readonly ApiScope[];
  readonly rateLimit: { readonly perSecond: number; readonly burst: number };
  /** CIDR blocks; an empty list allows every address. */
  readonly ipAllowList: readonly string[];
  /** CORS origins that may call the public endpoints of this application; none by default. */
  readonly corsOrigins: readonly string[];
  readonly apiVersion: string;
  /** URLs that the hosted page may redirect to after a session; each also allows the paths below it. */
  readonly redirectUrls: readonly string[];
  /** The inputs that the application has said not to send. */
  readonly withoutInputs: readonly InputName[];
}

export const DEFAULT_SCOPES: readonly ApiScope[] = [
  'kyt:ingest',
  'transactions:write',
  'kyt:read',
  'events:read',
  'requests:read',
];
/** Scopes that let an application change data that evaluations read. Granting them needs two people. */
export const grantedScopes: readonly ApiScope[] = ['customers:write'];
/** Returns the scopes of `after` that need an approval for an application with the scopes `before`. */
export const requiredGrants = (before: readonly string[], after: readonly ApiScope[]): ApiScope[] =>
  grantedScopes.filter((scope) => after.includes(scope) && !before.includes(scope));
/** True if a caller with these scopes may change what evaluations read: its secrets need two people as well. */
export const holdsGrants = (held: readonly string[]): boolean =>
  grantedScopes.some((scope) => held.includes(scope));
/** True if the list `after` lets addresses in that `before` did not. An empty list allows all. */
export const letsMoreIn = (before: readonly string[], after: readonly string[]): boolean =>
  before.length > 0 &&
  (after.length === 0 || !after.every((block) => before.some((one) => isWithin(block, one))));

/** True if an application would leave out something that it sends now. */
export const leavesMoreOut = (before: readonly InputName[], after: readonly InputName[]): boolean =>
  after.some((input) => !before.includes(input));

function isWithin(inner: string, outer: string): boolean {
  const [a, b] = [addressRange(inner), addressRange(outer)];
  return a !== null && b !== null && a.first >= b.first && a.last <= b.last;
}

export const DEFAULT_RATE_LIMIT = { perSecond: 200, burst: 400 } as const;
export const profileLimits = {
  name: 100,
  logoUrl: 500,
  perSecond: 100_000,
  burst: 1_000_000,
  listItems: 100,
} as const;

// Browsers of end users load the logo: a URL that is not public https would fail, or attack their network.
const LOGO_TARGETS = { requireHttps: true, allowLoopback: false, allowed: new AddressSet([]) };
const COLOR = /^#[0-9a-fA-F]{6}$/;

/** Normalises lists, so that equal settings are stored as equal texts. Expects a valid profile. */
export const normaliseProfile = (profile: AppProfile): AppProfile => ({
  ...profile,
  scopes: scopes.filter((scope) => profile.scopes.includes(scope)),
  ipAllowList: normaliseAddresses(profile.ipAllowList),
  corsOrigins: [...new Set(profile.corsOrigins.map((origin) => new URL(origin).origin))],
  redirectUrls: [...new Set(profile.redirectUrls.map((url) => new URL(url).href))],
  withoutInputs: inputNames.filter((input) => profile.withoutInputs.includes(input)),
});

/** Returns all problems of a profile; messages never contain a value. `allowLoopback` is only for development. */
export function validateProfile(
  profile: AppProfile,
  { allowLoopback }: { readonly allowLoopback: boolean },
): ErrorDetail[] {
  return [
    ...nameProblems('name', profile.name),
    ...nameProblems('publicName', profile.publicName),
    ...logoProblems(profile.branding.logoUrl),
    ...problemIf(
      profile.branding.primaryColor !== null && !COLOR.test(profile.branding.primaryColor),
      'branding.primaryColor',
      'PATTERN_MISMATCH',
      'Must be a hex colour such as #0B5FFF.',
    ),
    ...itemProblems('scopes', profile.scopes, (scope) =>
      (scopes as readonly string[]).includes(scope) ? null : `must be of: ${scopes.join(', ')}`,
    ),
    ...limitProblems(profile.rateLimit),
    ...addressProblems(profile.ipAllowList),
    ...itemProblems('corsOrigins', profile.corsOrigins, (origin) =>
      isWebOrigin(origin, allowLoopback)
        ? null
        : 'Must be an origin such as https://shop.example, without a path.',
    ),
    ...itemProblems('redirectUrls', profile.redirectUrls, (url) =>
      isRedirectUrl(url, allowLoopback)
        ? null
        : 'Must be an https address without query, fragment and credentials.',
    ),
    ...problemIf(
      !(API_VERSIONS as readonly string[]).includes(profile.apiVersion),
      'apiVersion',
      'VALUE_NOT_ALLOWED',
      `must be of: ${API_VERSIONS.join(', ')}`,
    ),
  ];
}

export const addressProblems = (blocks: readonly string[]): ErrorDetail[] =>
  itemProblems('ipAllowList', blocks, (block) =>
    parseCidr(block) === null ? 'Must be an address or a CIDR block such as 203.0.113.0/24.' : null,
  );

/** Returns the blocks in CIDR, each once; expects valid ones. */
export const normaliseAddresses = (blocks: readonly string[]): string[] => [
  ...new Set(blocks.map((block) => parseCidr(block) ?? block)),
];

/**
 * Normalises an address or block to CIDR; null if it is neither. A block with host bits set is refused: its author
 * meant something else.
 */
export function parseCidr(text: string): string | null {
  // An IP address here has neither a zone nor a port.
  const network = isIP(text.split('/')[0] ?? '') === 0 || text.includes('%') ? null : networkOf(text);
  return network === null || network.hadHostBits ? null : `${network.address}/${network.bits}`;
}

/** True for an origin exactly as browsers send it: no path, no wildcard, no `null`. */
function isWebOrigin(text: string, allowLoopback: boolean): boolean {
  if (text.length > 300 || !URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.origin !== text.toLowerCase() || url.host.includes('*')) return false;
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopback && allowLoopback);
}

/** True for a URL that people may be redirected to: it has no query, because it is a prefix of the real URLs. */
function isRedirectUrl(text: string, allowLoopback: boolean): boolean {
  if (text.length > 500 || !URL.canParse(text)) return false;
  const url = new URL(text);
  const isBare = url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  return isBare && isWebOrigin(url.origin, allowLoopback);
}

const problemIf = (wrong: boolean, path: string, code: string, message: string): ErrorDetail[] =>
  wrong ? [{ path, code, message }] : [];

function nameProblems(path: string, name: string): ErrorDetail[] {
  return [
    ...problemIf(name.trim() === '', path, 'TOO_SHORT', 'Must not be empty.'),
    ...problemIf(
      Array.from(name).length > profileLimits.name,
      path,
      'TOO_LONG',
      `Must have at most ${profileLimits.name} characters.`,
    ),
    // Line breaks and direction marks could make a name look like a different name.
    ...problemIf(
      /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/u.test(name),
      path,
      'PATTERN_MISMATCH',
      'Must not hold control characters.',
    ),
  ];
}

function logoProblems(logoUrl: string | null): ErrorDetail[] {
  if (logoUrl === null) return [];
  const path = 'branding.logoUrl';
  if (logoUrl.length > profileLimits.logoUrl) {
    return problemIf(true, path, 'TOO_LONG', `Must have at most ${profileLimits.logoUrl} characters.`);
  }
  const result = validateUrl(logoUrl, LOGO_TARGETS);
  if ('problem' in result) return problemIf(true, path, result.problem, targetProblems[result.problem]);
  const { hostname } = result.url;
  // A host without a dot, or under a private suffix (RFC 6762, RFC 8375, ICANN), is in an internal network.
  const isPrivate =
    !hostname.includes('.') || /\.(local|internal|intranet|lan|home\.arpa|corp|private)$/.test(hostname);
  return problemIf(isPrivate, path, 'HOST_NOT_ALLOWED', targetProblems.HOST_NOT_ALLOWED);
}

function limitProblems({ perSecond, burst }: AppProfile['rateLimit']): ErrorDetail[] {
  const isWhole = (value: number, most: number): boolean =>
    Number.isInteger(value) && value >= 1 && value <= most;
  const text = (most: number): string => `Must be a whole number from 1 to ${most}.`;
  return [
    ...problemIf(
      !isWhole(perSecond, profileLimits.perSecond),
      'rateLimit.perSecond',
      'VALUE_NOT_ALLOWED',
      text(profileLimits.perSecond),
    ),
    ...problemIf(
      !isWhole(burst, profileLimits.burst),
      'rateLimit.burst',
      'VALUE_NOT_ALLOWED',
      text(profileLimits.burst),
    ),
  ];
}

function itemProblems(
  path: string,
  items: readonly string[],
  judge: (item: string) => string | null,
): ErrorDetail[] {
  if (items.length > profileLimits.listItems) {
    return problemIf(true, path, 'TOO_MANY_ITEMS', `Must have at most ${profileLimits.listItems} items.`);
  }
  return items.flatMap((item, i) => {
    const wrong = judge(item);
    return wrong === null ? [] : [{ path: `${path}[${i}]`, code: 'VALUE_NOT_ALLOWED', message: wrong }];
  });
}
