import { readSettings, requireOwnKeys, Settings, type SettingValues } from '../../config/index.js';
import { OutboundProxy } from '../../outbound/index.js';
import { AwsKmsKeys } from './aws-kms-keys.js';
import { FileKeys } from './file-keys.js';
import type { KeySource } from './key-source.js';
import { VaultKeys } from './vault-keys.js';

/** Returns the source that KEY_SOURCE names; null for `environment`, where KEY_RING holds the keys. */
export function createKeySource(settings: SettingValues): KeySource | null {
  const { keyRingFile, keyRingWrapped: wrapped, keySource: source } = settings;
  if (source === 'environment') return null;
  if (source === 'file') return new FileKeys(keyRingFile ?? '');
  const { fetch } = new OutboundProxy(Settings.of(settings));
  if (source === 'aws-kms') {
    const { kmsRegion: region, kmsSessionToken: sessionToken } = settings;
    const key = {
      accessKeyId: settings.kmsAccessKeyId ?? '',
      secretAccessKey: settings.kmsSecretAccessKey ?? '',
      ...(sessionToken !== null && { sessionToken }),
      region,
    };
    const endpoint = settings.kmsEndpoint ?? `https://kms.${region}.amazonaws.com`;
    return new AwsKmsKeys({ endpoint, keyId: settings.kmsKeyId ?? '', wrapped, key }, fetch);
  }
  const { vaultAddr, vaultToken, vaultTransitKey, vaultTransitMount: mount } = settings;
  return new VaultKeys(
    { address: vaultAddr ?? '', mount, keyName: vaultTransitKey ?? '', wrapped, token: vaultToken ?? '' },
    fetch,
  );
}

/** Returns the settings with the ring keys of the key source. Throws SettingsError and KeySourceFailedError. */
export async function settingsWithKeys(values = readSettings()): Promise<SettingValues> {
  const source = createKeySource(values);
  if (source === null) return values;
  const openedSettings = { ...values, keyRing: await source.loadKeys() };
  requireOwnKeys(openedSettings);
  return openedSettings;
}
