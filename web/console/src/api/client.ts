/** The operator API with the types of its own document. */
import createClient, { type Middleware } from 'openapi-fetch';
import { accessToken, forgetToken } from './access.js';
import { isRecord, problemOf } from './problem.js';
import { reach } from './reach.js';
import type { components, paths } from './schema.js';

export type Schemas = components['schemas'];

const withToken: Middleware = {
  async onRequest({ request }) {
    request.headers.set('authorization', `Bearer ${await accessToken()}`);
    return request;
  },
  onResponse({ request, response }) {
    const id =
      request.method === 'GET' || !response.ok ? null : /\/([a-z]{3}_[0-9a-f]{32})/.exec(request.url);
    if (id?.[1] !== undefined) changedHere.set(id[1], Date.now());
  },
};

const changedHere = new Map<string, number>();

/** Whether this tab itself has changed a thing a moment ago, and so has read it anew already. */
export const wasChangedHere = (id: string): boolean => Date.now() - (changedHere.get(id) ?? 0) < 2_500;

// Until the answer begins.
const READ_LIMIT_MS = 30_000;
// A file is sent over a slow network, or made before it comes.
const LONG_LIMIT_MS = 180_000;

/** Calls the service; a token that has just ended is renewed once, and a call that did not arrive is an OFFLINE. */
async function call(
  request: Request,
  limitMs = request.method === 'GET' ? READ_LIMIT_MS : LONG_LIMIT_MS,
): Promise<Response> {
  const again = request.clone();
  const response = await reach(request, limitMs);
  if (response.status !== 401) return response;
  forgetToken();
  again.headers.set('authorization', `Bearer ${await accessToken()}`);
  return reach(again, limitMs);
}

export const api = createClient<paths>({
  baseUrl: location.origin,
  credentials: 'same-origin',
  cache: 'no-store',
  fetch: (request) => call(request),
});
api.use(withToken);

interface Answer {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}
type Body<A extends Answer> = NonNullable<A['data']>;

/**
 * Marks that turn the direction of writing around, or end what holds a name apart from the text beside it. They are not
 * seen, and no name needs them, so no screen gets them; an editor that saves a text saves it without them.
 */
const TURNING = /[\u202A-\u202E\u2066-\u2069]/g;

function withoutTurning(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(TURNING, '');
  if (Array.isArray(value)) return value.map(withoutTurning);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key.replace(TURNING, ''), withoutTurning(one)]),
  );
}

/** The body of an answer to the last sign, for what is hashed; throws a Problem for one that is an error. */
export async function sentOf<A extends Answer>(calling: Promise<A>): Promise<Body<A>> {
  const { data, error, response } = await calling;
  if (!response.ok) throw problemOf(response, error);
  return data as Body<A>;
}

/** The body of an answer as it is shown; throws a Problem for one that is an error. */
export const answerOf = async <A extends Answer>(calling: Promise<A>): Promise<Body<A>> =>
  withoutTurning(await sentOf(calling)) as Body<A>;

/** The content of the envelope of an answer. */
export async function dataOf<A extends Answer>(
  calling: Promise<A>,
): Promise<Body<A> extends { data: infer D } ? D : never> {
  return ((await answerOf(calling)) as unknown as { data: never }).data;
}

/** A file of the operator API: fetched with the token, as a link could not; with a body where it has to be asked for. */
export async function fileOf(path: string, body?: object): Promise<Blob> {
  const response = await call(
    new Request(new URL(path, location.origin), {
      credentials: 'same-origin',
      cache: 'no-store',
      headers: {
        authorization: `Bearer ${await accessToken()}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    }),
    LONG_LIMIT_MS,
  );
  if (!response.ok) {
    throw problemOf(response, await response.json().catch(() => null));
  }
  return response.blob();
}

/** Hands a file to the person, under a name that tells nothing about anybody. */
export async function download(path: string, name: string, body?: object): Promise<void> {
  const url = URL.createObjectURL(await fileOf(path, body));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
