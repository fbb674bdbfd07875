import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

interface Answer<T> {
  readonly data: T | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Calls the operator API of a running service as the person whose access token is given. */
export class OperatorCalls {
  private constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /** `tokenFile`: where the access token stands; `-` is the standard input. It is never an argument, which others see. */
  static async from({ url, tokenFile }: { url: string; tokenFile: string }): Promise<OperatorCalls> {
    const token = tokenFile === '-' ? await text(process.stdin) : await readFile(tokenFile, 'utf8');
    return new OperatorCalls(url.replace(/\/+$/, ''), token.trim());
  }

  get<T>(path: string): Promise<T> {
    return this.call<T>('GET', path);
  }

  post<T>(path: string, body: object): Promise<T> {
    return this.call<T>('POST', path, body);
  }

  private async call<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const { data, error } = (await answer.json()) as Answer<T>;
    if (error || data === null) throw new Error(`${error?.code ?? answer.status}: ${error?.message ?? ''}`);
    return data;
  }
}
