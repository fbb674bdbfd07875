// Owns keys, encrypted values and blind indexes. Promises that personal data is readable only with its subject's key.
export { PrivacyModule } from './privacy.module.js';
export { ErasureWatch } from './erasure-watch.service.js';
export { BlindIndex } from './indexes/blind-index.js';
export { IndexKeyRotation } from './indexes/index-key-rotation.service.js';
export { IndexKeys, type IndexKey } from './indexes/index-keys.js';
export { KeyRotation, type RotationProgress } from './key-rotation.service.js';
export { KeySourceFailedError, WrappingSource } from './key-sources/key-source.js';
export { createKeySource, settingsWithKeys } from './key-sources/opened-settings.js';
export { keyIdOf, SealBrokenError } from './sealed.js';
export { SubjectKeys, type StoredSubjectKey, type SubjectRef } from './subject-keys.js';
export { Vault, encryptionContextOf } from './vault.js';
