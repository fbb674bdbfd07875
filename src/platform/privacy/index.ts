// Owns keys, encrypted values and blind indexes. Promises that personal data is readable only with its subject's key.
export { PrivacyModule } from './privacy.module.js';
export { ErasureWatch } from './erasure-watch.service.js';
export { BlindIndex, type IndexKind } from './indexes/blind-index.js';
export { IndexKeyRotation, type IndexRotationOutcome } from './indexes/index-key-rotation.service.js';
export { IndexKeys, type IndexKey } from './indexes/index-keys.js';
export { KeyRotation, type RingKeyUse, type RotationProgress } from './key-rotation.service.js';
export { KeySourceFailed, WrappingSource } from './key-sources/key-source.js';
export { keySource, openedSettings } from './key-sources/opened-settings.js';
export { keyIdOf, SealBroken } from './sealed.js';
export { sealedLength } from './sealed-stream.js';
export { SubjectKeys, subjectKeyOf, type StoredKey, type SubjectRef } from './subject-keys.js';
export { Vault, sealContext, type SealedValue } from './vault.js';
