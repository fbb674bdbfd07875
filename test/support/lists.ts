import { Readable } from 'node:stream';
import { systemActor } from '../../src/features/audit/index.js';
import {
  SearchIndexService,
  ListImporterService,
  ScreeningListsService,
} from '../../src/features/screening/index.js';
import type { TestApp } from './app.js';

/** Who stands on the lists of `withLists`; nobody else does. */
export const LISTED = {
  sanctions: 'Anacleto Sancionado Ficticio',
  pep: 'Belarmina Politica Ficticia',
  debarred: 'Casimiro Impedido Ficticio',
} as const;

/** Fresh lists of every kind, without which nothing is ever "no hit". */
export async function withLists(on: TestApp, organisationId: string): Promise<void> {
  const ctx = systemActor(organisationId, 'test');
  for (const [key, kind, name] of [
    ['sanctions', 'SANCTIONS', LISTED.sanctions],
    ['pep', 'PEP', LISTED.pep],
    ['debarment', 'DEBARMENT', LISTED.debarred],
  ] as const) {
    const list = await on.app
      .get(ScreeningListsService)
      .findOrCreate(ctx, { key, name: key, kind, format: 'HOUSE_CSV' });
    const importer = on.app.get(ListImporterService);
    const { id } = await importer.startImport(ctx, list, null);
    const file = `key;name;kind;birthDate;type;value\ns1;${name};PERSON;;;\n`;
    const main = Readable.from([Buffer.from(file)]);
    await importer.runImport(ctx, list, id, { main, bytesTotal: null }, { confirmation: 'NEVER' });
  }
  await on.app.get(SearchIndexService).refresh();
}
