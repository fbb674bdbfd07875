import { request } from 'node:http';
import type { TestClient } from './api.js';
import type { HostileForm } from './hostile-files.js';

export interface FormAnswer {
  readonly status: number;
  readonly body: {
    readonly artifactId?: string;
    readonly uuid?: string;
    readonly error?: {
      readonly code: string;
      readonly details: readonly { readonly path: string; readonly code: string }[];
    };
  } & Readonly<Record<string, unknown>>;
}

/** Sends the exact bytes of a form, in chunks as a network would bring them. */
export function sendForm(
  url: string,
  client: TestClient,
  { contentType, body }: Pick<HostileForm, 'contentType' | 'body'>,
): Promise<FormAnswer> {
  return new Promise((resolve, reject) => {
    const call = request(url, {
      method: 'POST',
      agent: false,
      headers: {
        'content-type': contentType,
        'content-length': body.length,
        'x-client-id': client.clientId,
        'x-client-secret': client.clientSecret,
      },
    });
    call.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as FormAnswer['body'] });
      });
      response.once('error', reject);
    });
    call.once('error', reject);
    call.end(body);
  });
}
