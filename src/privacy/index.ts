// Owns keys, sealed values and blind indexes. Promises that personal data is readable only with its subject's key.
export { PrivacyModule } from './privacy.module.js';
export { ErasureWatch } from './erasure-watch.service.js';
export { BlindIndex, type IndexKind } from './blind-index.js';
export { KeyRotation, type RingKeyUse, type RotationProgress } from './key-rotation.service.js';
export { SealBroken } from './sealed.js';
export { sealedLength } from './sealed-stream.js';
export { SubjectKeys, subjectKeyOf, type SubjectRef } from './subject-keys.js';
export { Vault, sealContext, type SealedValue } from './vault.js';
