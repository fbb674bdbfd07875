import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { BlindIndex } from '../../src/platform/privacy/index.js';
import { ArtifactIntake, type KnownArtifact, type UploadRequest } from '../../src/features/uploads/index.js';
import type { TestApp } from './app.js';
import { aPicture } from './files.js';

/** Stores an artifact as an upload does; a small picture of its own unless a file is given. */
export async function anArtifact(
  t: TestApp,
  organisationId: string,
  options: Partial<UploadRequest> & { readonly file?: Buffer } = {},
): Promise<KnownArtifact> {
  const { file = await aPicture(64, 64, Math.random()).png().toBuffer(), ...receiving } = options;
  const owner = receiving.owner ?? { type: 'SESSION', id: randomUUID() };
  const { artifact } = await t.app.get(ArtifactIntake).receive(requestOf(file), {
    organisationId,
    owner,
    subject: {
      organisationId,
      index: t.app.get(BlindIndex).computeIndex(organisationId, 'customer', owner.id),
    },
    actor: { type: 'system', id: 'test' },
    requestId: null,
    correlationId: null,
    customerId: null,
    describe: () => ({ kind: 'DOCUMENT', stepId: null, documentType: null, side: null }),
    ...receiving,
  });
  return artifact;
}

function requestOf(file: Buffer): IncomingMessage {
  const boundary = 'boundary-of-a-test';
  const body = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="file"\r\n` +
        'Content-Type: application/octet-stream\r\n\r\n',
    ),
    file,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const parts = { headers, complete: true, socket: new PassThrough() };
  return Object.assign(Readable.from([body]), parts) as unknown as IncomingMessage;
}
