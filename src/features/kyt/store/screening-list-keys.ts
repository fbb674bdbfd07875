import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import type { Tx } from '../../../platform/database/index.js';
import { OrganisationListKeys } from '../../rules/index.js';
import { ScreeningListEntity } from '../../screening/index.js';

@Injectable()
export class ScreeningListKeys extends OrganisationListKeys {
  async listKeys(tx: Tx, organisationId: string): Promise<readonly string[]> {
    const lists = await tx.find(ScreeningListEntity, {
      select: { key: true },
      where: { organisationId, archivedAt: IsNull() },
    });
    return lists.map(({ key }) => key);
  }
}
