import { table } from '../../../platform/kernel/table.js';
import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { failureCodeOf, SignedRequests, type OutboundProxy } from '../../../platform/outbound/index.js';
import { ArtifactStore, ObjectMissingError, type StoredObject } from './artifact-store.js';

export interface S3Options {
  /** The URL of the service: `https://s3.sa-east-1.amazonaws.com`, `https://minio.example:9000`. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Keys per list response; S3 returns at most 1,000. */
  readonly pageSize?: number;
}

/** The store returned an error or no response. The message never contains the object key. */
export class StoreFailedError extends Error {
  /** @param failure the status of the answer, or the code of what failed where there was none */
  constructor(
    operation: string,
    readonly failure: number | string,
  ) {
    const answer = typeof failure === 'number' ? `status ${failure}` : `no answer (${failure})`;
    super(`The artifact store failed: ${operation}, ${answer}.`);
    this.name = 'StoreFailed';
  }
}

// Maximum time of a request: a file has at most 10 MiB, so a slower store counts as unavailable.
const TIMEOUT_MS = 30_000;

/**
 * Stores artifacts in an S3-compatible store (AWS, MinIO, Ceph, R2 …), with path-style URLs and SigV4 signatures that
 * cover the body.
 */
export class S3Store extends ArtifactStore {
  private readonly client: SignedRequests;
  private readonly baseUrl: string;

  constructor(
    private readonly options: S3Options,
    send: OutboundProxy['fetch'] = fetch,
  ) {
    super();
    const { endpoint, bucket, region, accessKeyId, secretAccessKey } = options;
    this.baseUrl = `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`;
    this.client = new SignedRequests({ accessKeyId, secretAccessKey, region, service: 's3' }, send);
  }

  override async put(key: string, path: string): Promise<void> {
    const body = await readFile(path);
    const headers = {
      'content-type': 'application/octet-stream',
      'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
    };
    const answer = await this.request('put', key, { method: 'PUT', body: new Uint8Array(body), headers });
    await answer.arrayBuffer();
    if (!answer.ok) throw new StoreFailedError('put', answer.status);
    await rm(path, { force: true });
  }

  override async open(key: string): Promise<Readable> {
    const answer = await this.request('get', key, { method: 'GET' });
    if (answer.ok && answer.body) return Readable.fromWeb(answer.body as ReadableStream<Uint8Array>);
    await answer.arrayBuffer();
    if (answer.status === 404) throw new ObjectMissingError();
    throw new StoreFailedError('get', answer.status);
  }

  override async remove(key: string): Promise<void> {
    const answer = await this.request('remove', key, { method: 'DELETE' });
    await answer.arrayBuffer();
    if (!answer.ok && answer.status !== 404) throw new StoreFailedError('remove', answer.status);
  }

  override async *list(prefix: string): AsyncIterable<StoredObject> {
    const query = new URLSearchParams({
      'list-type': '2',
      prefix,
      'max-keys': String(this.options.pageSize ?? 1_000),
    });
    for (;;) {
      const answer = await this.request('list', `?${query.toString()}`, { method: 'GET' });
      const text = await answer.text();
      if (!answer.ok) throw new StoreFailedError('list', answer.status);
      yield* objectsIn(text);
      const next = elementText(text, 'NextContinuationToken');
      if (elementText(text, 'IsTruncated') !== 'true' || next === null) return;
      query.set('continuation-token', next);
    }
  }

  private async request(
    operation: string,
    suffix: string,
    init: { method: string; body?: Uint8Array<ArrayBuffer>; headers?: Record<string, string> },
  ): Promise<Response> {
    try {
      return await this.client.fetch(`${this.baseUrl}/${suffix}`, {
        ...init,
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (error) {
      // Keeps its code alone: the cause may contain the URL with its key.
      throw new StoreFailedError(operation, failureCodeOf(error));
    }
  }
}

/** Parses a list response. The service generates the keys, so this much XML is enough. */
function* objectsIn(xml: string): Iterable<StoredObject> {
  for (const [, content = ''] of xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
    const key = elementText(content, 'Key');
    const modifiedAt = new Date(elementText(content, 'LastModified') ?? Number.NaN);
    const bytes = Number(elementText(content, 'Size'));
    if (key === null || Number.isNaN(modifiedAt.getTime()) || !Number.isSafeInteger(bytes)) {
      throw new StoreFailedError('list', 200);
    }
    yield { key, bytes, modifiedAt };
  }
}

function elementText(xml: string, name: string): string | null {
  const elementMatch = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return elementMatch === undefined
    ? null
    : elementMatch.replace(/&(lt|gt|quot|apos|amp);/g, (_, code: string) => ENTITIES[code] ?? '');
}

const ENTITIES: Readonly<Record<string, string>> = table({
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  amp: '&',
});
