import { join } from 'node:path';
import type { Settings } from '../../../platform/config/index.js';
import type { OutboundProxy } from '../../../platform/outbound/index.js';
import type { ArtifactStore } from './artifact-store.js';
import { LocalStore } from './local-store.js';
import { S3Store } from './s3-store.js';

/** Creates the store that the settings select. */
export function newStore(settings: Settings, proxy: OutboundProxy): ArtifactStore {
  const { s3Endpoint, s3Bucket, s3AccessKeyId, s3SecretAccessKey } = settings;
  if (settings.artifactStore === 'local') return new LocalStore(join(settings.dataDir, 'artifacts', 'kept'));
  if (!s3Endpoint || !s3Bucket || !s3AccessKeyId || !s3SecretAccessKey) {
    throw new Error('ARTIFACT_STORE=s3 without its settings; reading the settings refuses that');
  }
  return new S3Store(
    {
      endpoint: s3Endpoint,
      bucket: s3Bucket,
      region: settings.s3Region,
      accessKeyId: s3AccessKeyId,
      secretAccessKey: s3SecretAccessKey,
    },
    proxy.fetch,
  );
}
