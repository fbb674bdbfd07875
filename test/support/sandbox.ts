import { Readable } from 'node:stream';
import { systemActor } from '../../src/features/audit/index.js';
import { scopes } from '../../src/platform/http/index.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import {
  SearchIndexService,
  ListImporterService,
  sampleLists,
  ScreeningListsService,
} from '../../src/features/screening/index.js';
import { FlowsService } from '../../src/features/sessions/index.js';
import type { TestClient } from './api.js';
import type { TestApp } from './app.js';

/** An application of an organisation that has what `vigia sandbox prepare` makes. */
export async function sandboxClient(t: TestApp): Promise<TestClient> {
  const made = await t.client({ scopes, rules: false });
  const { organisationId } = made;
  await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  await t.app.get(FlowsService).ensureDefaults(organisationId);
  const ctx = systemActor(organisationId, 'test');
  for (const { list, file } of sampleLists) {
    const row = await t.app.get(ScreeningListsService).findOrCreate(ctx, list);
    const { id } = await t.app.get(ListImporterService).startImport(ctx, row, null);
    const main = Readable.from([Buffer.from(file)]);
    await t.app
      .get(ListImporterService)
      .runImport(ctx, row, id, { main, bytesTotal: null }, { confirmation: 'NEVER' });
  }
  await t.app.get(SearchIndexService).refresh();
  return made;
}
