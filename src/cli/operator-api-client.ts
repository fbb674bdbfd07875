import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

/** The envelope of a response. */
export interface OperatorResponse<T> {
  readonly data: T | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Calls a running service; throws a readable error if none listens at this address. */
export async function callService<T>(url: string, init: RequestInit): Promise<OperatorResponse<T>> {
  const response = await fetch(url, init).catch((cause: unknown) => {
    throw new Error(`No Vigia answers at ${new URL(url).origin}: is it running?`, { cause });
  });
  const answer: unknown = await response.json().catch(() => null); // another program may answer there
  if (typeof answer === 'object' && answer !== null && 'error' in answer) {
    return answer as OperatorResponse<T>;
  }
  throw new Error(`What answers at ${new URL(url).origin} is not Vigia (status ${response.status}).`);
}

/** Calls the operator API of a running service with an access token. */
export class OperatorApiClient {
  private constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /**
   * `tokenFile` contains the access token; `-` is standard input. As an argument, the token would be visible to other
   * users.
   */
  static async from({ url, tokenFile }: { url: string; tokenFile: string }): Promise<OperatorApiClient> {
    const token = tokenFile === '-' ? await text(process.stdin) : await readFile(tokenFile, 'utf8');
    return new OperatorApiClient(url.replace(/\/+$/, ''), token.trim());
  }

  static with(url: string, token: string): OperatorApiClient {
    return new OperatorApiClient(url, token);
  }

  /** Returns the whole answer of a list: the items and the next cursor. */
  async page<Page>(path: string): Promise<Page> {
    return (await this.send(path, { method: 'GET' })) as Page;
  }

  get<T>(path: string): Promise<T> {
    return this.call<T>('GET', path);
  }

  post<T>(path: string, body: object): Promise<T> {
    return this.call<T>('POST', path, body);
  }

  private async call<T>(method: string, path: string, body?: object): Promise<T> {
    const { data } = await this.send<T>(path, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
    if (data === null) throw new Error('The answer has no data.');
    return data;
  }

  private async send<T>(path: string, init: RequestInit): Promise<OperatorResponse<T>> {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
    const answer = await callService<T>(this.url + path, { ...init, headers });
    if (answer.error) throw new Error(`${answer.error.code}: ${answer.error.message}`);
    return answer;
  }
}
