/** The value of a text, or the problem of the text without quoting it. */
type Read<T> = { readonly value: T } | { readonly problem: string };

/** A PostgreSQL URL: who logs in, and where. */
interface DatabaseUrl {
  /** One URL per host, in the order of the text; equal but for the host and its port. */
  readonly targets: readonly [string, ...string[]];
  readonly user: string;
  /** Empty if the URL has none. */
  readonly password: string;
  /** True if the only host is the folder of a Unix socket. */
  readonly bySocket: boolean;
}

/** The server of a Redis URL, as ioredis takes it. */
export interface RedisServer {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  readonly family?: number;
  readonly tls?: Record<string, never>;
}

/** Reads a URL of one of the protocols. It begins with the protocol in small letters, so that a comparison finds it. */
export function readUrl(text: string, protocols: readonly string[]): Read<URL> {
  if (!isEncoded(text)) return { problem: 'has a % that begins no UTF-8 escape: a % itself is written %25' };
  const begins = protocols.some((protocol) => text.startsWith(`${protocol}//`));
  return begins && !/\s/.test(text) && URL.canParse(text)
    ? { value: new URL(text) }
    : { problem: `must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}` };
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const URL_PARTS = /^([a-z]+:\/\/)([^/?#]*)(.*)$/s;
// With either value the driver selects the same host, because the service writes.
const WRITABLE = /([?&])target_session_attrs=(?:read-write|primary)(&|$)/;

/** Reads a PostgreSQL URL, which may list hosts: `postgres://user:password@one:5432,[::1]:5432/vigia`. */
export function readDatabaseUrl(text: string): Read<DatabaseUrl> {
  const [, protocol = '', authority = '', given = ''] = URL_PARTS.exec(text) ?? [];
  if (/[@#]/.test(given)) {
    return { problem: 'has an @ or # after its hosts: in a password /, ?, # and @ are percent-encoded' };
  }
  const rest = given.replace(WRITABLE, (_, first: string, last: string) => (last === '&' ? first : ''));
  const login = authority.slice(0, authority.lastIndexOf('@') + 1);
  const hosts = authority.slice(login.length).split(',');
  if (hosts.length > 1 && hosts.some((host) => host === '' || host.startsWith(':'))) {
    return { problem: 'has a comma without a host beside it' };
  }
  const urls: URL[] = [];
  for (const host of hosts) {
    const readResult = readUrl(protocol === '' ? text : `${protocol}${login}${host}${rest}`, [
      'postgres:',
      'postgresql:',
    ]);
    if ('problem' in readResult) return readResult;
    urls.push(readResult.value);
  }
  const [{ username, password, hostname, searchParams }] = urls as [URL, ...URL[]];
  // The driver prefers these parameters to what stands before them.
  const urlParts = hosts[0] === '' ? ['user', 'password'] : ['user', 'password', 'host', 'port'];
  const twice = urlParts.find((name) => searchParams.has(name));
  if (twice !== undefined) return { problem: `names its ${twice} in the query: it stands before the path` };
  if (searchParams.has('target_session_attrs')) {
    return { problem: 'has a target_session_attrs other than read-write: the service writes' };
  }
  const folder = searchParams.get('host');
  if (folder?.includes(',') === true) {
    return { problem: 'lists hosts in its query: they stand before the path' };
  }
  return {
    value: {
      targets: hosts.map((host) => `${protocol}${login}${host}${rest}`) as [string, ...string[]],
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      bySocket: folder?.startsWith('/') === true || /^%2f/i.test(hostname),
    },
  };
}

/** Returns the URL with another login. Throws if it names no host. */
export function withLogin(url: string, user: string, password: string): string {
  const [, protocol = '', authority = '', rest = ''] = URL_PARTS.exec(url) ?? [];
  const hosts = authority.slice(authority.lastIndexOf('@') + 1);
  if (hosts === '') throw new Error('the URL of the database names no host');
  return `${protocol}${encodeURIComponent(user)}:${encodeURIComponent(password)}@${hosts}${rest}`;
}

/** Reads a Redis URL: `rediss://user:password@host:6379/0`, with TLS for `rediss:`. */
export function readRedisUrl(text: string): Read<RedisServer> {
  const readResult = readUrl(text, ['redis:', 'rediss:']);
  if ('problem' in readResult) return readResult;
  const { protocol, hostname, port, username, password, pathname, searchParams, hash } = readResult.value;
  const family = searchParams.get('family');
  if (hostname === '') return { problem: 'names no host' };
  if (!/^(\/\d{0,4})?$/.test(pathname)) return { problem: 'has a path that is no number of a database' };
  if ([...searchParams.keys()].some((name) => name !== 'family') || !/^[046]?$/.test(family ?? '')) {
    return { problem: 'has a parameter other than family=0, 4 or 6' };
  }
  if (hash !== '') return { problem: 'has a #, which is written %23 in a password' };
  return {
    value: {
      host: decodeURIComponent(hostname.replace(/^\[(.+)\]$/, '$1')),
      port: port === '' ? 6_379 : Number(port),
      db: Number(pathname.slice(1)),
      ...(username !== '' && { username: decodeURIComponent(username) }),
      ...(password !== '' && { password: decodeURIComponent(password) }),
      ...(family !== null && family !== '' && { family: Number(family) }),
      ...(protocol === 'rediss:' && { tls: {} }),
    },
  };
}

/**
 * Returns the value of a setting that has been checked. Throws an error with the name of the variable if the check
 * failed.
 */
export function readOf<T>(variable: string, read: Read<T>): T {
  if ('value' in read) return read.value;
  throw new Error(`${variable} ${read.problem}`);
}
