import { systemActor } from '../../src/features/audit/index.js';
import { asFlow } from '../../src/features/sessions/domain/flow/flow-validation.js';
import { FlowsService } from '../../src/features/sessions/index.js';
import type { TestApp } from './app.js';

/** Gives an organisation a flow, or its next version, as whoever runs the installation does. */
export async function withFlow(
  { app }: Pick<TestApp, 'app'>,
  organisationId: string,
  { key, ...flow }: { readonly key: string; readonly [field: string]: unknown },
): Promise<void> {
  await app
    .get(FlowsService, { strict: false })
    .install(systemActor(organisationId, 'test'), key, asFlow(flow));
}
