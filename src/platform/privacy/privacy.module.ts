import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Settings } from '../config/index.js';
import { ConnectionWatch, UnitOfWork } from '../database/index.js';
import { ErasureSweep } from './erasure-sweep.service.js';
import { ErasureWatch } from './erasure-watch.service.js';
import { BlindIndex } from './indexes/blind-index.js';
import { IndexKeyRotation } from './indexes/index-key-rotation.service.js';
import { IndexKeys } from './indexes/index-keys.js';
import { KeyRing } from './key-ring.js';
import { KeyRotation } from './key-rotation.service.js';
import { requireNewest } from './store/index-key.statements.js';
import { SubjectKeys } from './subject-keys.js';
import { Vault } from './vault.js';
import { privacyEntities } from './store/entities.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature(privacyEntities)],
  providers: [
    {
      provide: IndexKeys,
      inject: [UnitOfWork, ConnectionWatch, Settings],
      useFactory: async (uow: UnitOfWork, connections: ConnectionWatch, { indexKey }: Settings) => {
        const keys = await IndexKeys.load(uow, indexKey);
        connections.addCheck((client) => requireNewest(client, keys.newest.number));
        return keys;
      },
    },
    ...[KeyRing, KeyRotation, BlindIndex, IndexKeyRotation, ErasureSweep, ErasureWatch, SubjectKeys, Vault],
  ],
  exports: [BlindIndex, ErasureWatch, IndexKeyRotation, IndexKeys, KeyRotation, SubjectKeys, Vault],
})
export class PrivacyModule {}
