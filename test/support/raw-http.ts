import { once } from 'node:events';
import { request, type IncomingMessage, type RequestOptions } from 'node:http';
import { connect } from 'node:net';
import type { Answer } from './answers.js';

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Several chunks are sent without a Content-Length. */
  readonly body?: Buffer | string | readonly Buffer[];
  readonly agent?: RequestOptions['agent'];
}

/** Sends a request as it is given, without a client's conveniences; what the server answers early is still read. */
export async function send(url: string, options: RawRequest = {}): Promise<Answer> {
  const { method = 'POST', headers = {}, body, agent } = options;
  const sent = request(url, { method, headers, ...(agent === undefined ? {} : { agent }) });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  // A server that refuses a large body closes while we write; the answer counts, not the broken pipe.
  sent.on('error', () => undefined);
  if (Array.isArray(body)) for (const chunk of body as readonly Buffer[]) sent.write(chunk);
  sent.end(Array.isArray(body) ? undefined : body);
  const [response] = await answered;
  const chunks: Buffer[] = [];
  // A stream of events has no end to wait for.
  if (response.headers['content-type']?.startsWith('text/event-stream') === true) response.destroy();
  else response.on('data', (chunk: Buffer) => chunks.push(chunk));
  if (!response.closed) await once(response, 'close');
  return toAnswer(response.statusCode ?? 0, response.headers, Buffer.concat(chunks).toString());
}

/** Writes bytes to a socket and returns what comes back until the server closes it. */
export async function sendBytes(url: string, bytes: string): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  const [head = '', text = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  return toAnswer(Number(statusLine.split(' ')[1]), headers, text);
}

function toAnswer(status: number, headers: Answer['headers'], text: string): Answer {
  const isJson = String(headers['content-type']).includes('json');
  return { status, headers, text, body: isJson && text !== '' ? (JSON.parse(text) as unknown) : {} };
}
