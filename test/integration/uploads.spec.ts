import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aPicture } from '../support/files.js';
import { TestUploadsModule } from '../support/upload-route.js';

let t: TestApp;
let client: TestClient;

beforeAll(async () => {
  t = await startTestApp({ modules: [TestUploadsModule] });
  client = await t.client({ rules: false });
});

afterAll(async () => {
  await t.close();
});

describe('an upload', () => {
  it('is stored once, sealed, and comes back as it was', async () => {
    const picture = await aPicture().jpeg().toBuffer();
    const owner = randomUUID();
    const send = () =>
      t.api
        .as(client)
        .post(`/test-uploads/${owner}/none`)
        .field('side', 'FRONT')
        .attach('file', picture, 'rg.jpg');
    const first = await send();
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ mimeType: 'image/jpeg', width: 640, height: 480, side: 'FRONT' });
    const second = await send();
    expect(second.status).toBe(200);
    expect(second.body.artifactId).toBe(first.body.artifactId);
    const operator = await t.operator({ roles: ['ANALYST'], organisationId: client.organisationId });
    const original = await t.api
      .asOperator(operator)
      .get(`/operator/artifacts/${first.body.artifactId}/content?rendition=original`)
      .expect(200);
    expect(original.headers['content-disposition']).toContain('attachment');
    expect(Buffer.compare(original.body as Buffer, picture)).toBe(0);
  });
});
