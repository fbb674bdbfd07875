import { Global, Module } from '@nestjs/common';
import { BlindIndex } from './blind-index.js';
import { ErasureSweep } from './erasure-sweep.service.js';
import { ErasureWatch } from './erasure-watch.service.js';
import { KeyRing } from './key-ring.js';
import { KeyRotation } from './key-rotation.service.js';
import { SubjectKeys } from './subject-keys.js';
import { Vault } from './vault.js';

@Global()
@Module({
  providers: [KeyRing, KeyRotation, BlindIndex, ErasureSweep, ErasureWatch, SubjectKeys, Vault],
  exports: [BlindIndex, ErasureWatch, KeyRotation, SubjectKeys, Vault],
})
export class PrivacyModule {}
