import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface StoredBody {
  readonly body: Buffer;
  readonly modifiedAt: Date;
}

const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex');
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * A small S3: objects of one bucket in memory, listing in pages, and every request's SigV4 signature computed anew from
 * what came over the wire, after the text of AWS (Create a signed AWS API request), not after the library under test.
 */
export class S3Server {
  readonly objects = new Map<string, StoredBody>();
  readonly requests: { method: string; signedHeaders: string; bodyHash: string }[] = [];
  /** So many requests from now on are answered with 503. */
  failures = 0;
  private readonly server: Server;

  constructor(
    readonly bucket: string,
    readonly accessKeyId: string,
    private readonly secretAccessKey: string,
    readonly region: string,
  ) {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.once('end', () => {
        this.answer(request, response, Buffer.concat(chunks));
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const url = new URL(request.url ?? '', 'http://host');
    const verdict = this.verdict(request, url, body);
    if (this.failures > 0) {
      this.failures -= 1;
      end(response, 503, 'SlowDown');
      return;
    }
    if (verdict !== null) {
      end(response, 403, verdict);
      return;
    }
    const [, bucket, ...rest] = url.pathname.split('/');
    if (bucket !== this.bucket) {
      end(response, 404, 'NoSuchBucket');
      return;
    }
    const key = decodeURIComponent(rest.join('/'));
    if (request.method === 'GET' && key === '') {
      this.list(response, url.searchParams);
      return;
    }
    if (request.method === 'PUT') {
      this.objects.set(key, { body, modifiedAt: new Date() });
      end(response, 200);
      return;
    }
    if (request.method === 'DELETE') {
      this.objects.delete(key);
      end(response, 204);
      return;
    }
    const found = this.objects.get(key);
    if (!found) {
      end(response, 404, 'NoSuchKey');
      return;
    }
    response.writeHead(200, { 'content-length': found.body.length });
    response.end(found.body);
  }

  private list(response: ServerResponse, query: URLSearchParams): void {
    if (query.get('list-type') !== '2') {
      end(response, 400, 'InvalidArgument');
      return;
    }
    const token = query.get('continuation-token');
    // A token with characters that XML has to escape.
    const after = token === null ? '' : token.replace(/^<"&>/, '');
    const keys = [...this.objects.keys()]
      .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
      .sort();
    const page = keys.slice(0, Number(query.get('max-keys')));
    const truncated = page.length < keys.length;
    const contents = page.map((key) => {
      const { body, modifiedAt } = this.objects.get(key)!;
      return `<Contents><Key>${escaped(key)}</Key><LastModified>${modifiedAt.toISOString()}</LastModified><ETag>&quot;x&quot;</ETag><Size>${body.length}</Size></Contents>`;
    });
    const next = truncated
      ? `<NextContinuationToken>${escaped(`<"&>${page.at(-1)!}`)}</NextContinuationToken>`
      : '';
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(
      `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult><IsTruncated>${truncated}</IsTruncated>${contents.join('')}${next}</ListBucketResult>`,
    );
  }

  /** Why the request is refused, or null. */
  private verdict(request: IncomingMessage, url: URL, body: Buffer): string | null {
    const header = (name: string): string => String(request.headers[name] ?? '');
    const found =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/.exec(
        header('authorization'),
      );
    if (!found) return 'AccessDenied';
    const [, keyId = '', date = '', region = '', signedHeaders = '', signature = ''] = found;
    const bodyHash = header('x-amz-content-sha256');
    this.requests.push({ method: request.method ?? '', signedHeaders, bodyHash });
    if (keyId !== this.accessKeyId || region !== this.region) return 'InvalidAccessKeyId';
    if (bodyHash !== 'UNSIGNED-PAYLOAD' && bodyHash !== sha256(body)) return 'XAmzContentSHA256Mismatch';
    const stamp = header('x-amz-date');
    const at = Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
    if (!stamp.startsWith(date) || !(Math.abs(Date.now() - at) < 15 * 60_000)) return 'RequestTimeTooSkewed';
    const query = [...url.searchParams]
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .sort()
      .join('&');
    const headers = signedHeaders.split(';').map((name) => `${name}:${header(name).trim()}\n`);
    const canonical = [request.method, url.pathname, query, headers.join(''), signedHeaders, bodyHash].join(
      '\n',
    );
    const scope = `${date}/${region}/s3/aws4_request`;
    const toSign = ['AWS4-HMAC-SHA256', stamp, scope, sha256(canonical)].join('\n');
    const key = hmac(hmac(hmac(hmac(`AWS4${this.secretAccessKey}`, date), region), 's3'), 'aws4_request');
    return timingSafeEqual(hmac(key, toSign), Buffer.from(signature, 'hex')) ? null : 'SignatureDoesNotMatch';
  }
}

/** As AWS wants it: everything but the unreserved characters. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

function end(response: ServerResponse, status: number, code?: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(code === undefined ? undefined : `<Error><Code>${code}</Code></Error>`);
}
