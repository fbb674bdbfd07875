import { UnitOfWork } from '../../src/platform/database/index.js';
import { newUuid } from '../../src/platform/kernel/index.js';
import { Vault, type SubjectRef } from '../../src/platform/privacy/index.js';
import { EventPublisher, type EventData } from '../../src/features/webhooks/index.js';
import type { TestClient } from './api.js';
import type { TestApp } from './app.js';

export const queuedData = (transactionId: string): EventData['kyt.transaction.queued'] => ({
  transactionId,
  status: 'QUEUED',
  externalCustomerId: 'São João',
  requestId: 'req-1',
  correlationId: 'corr-1',
  receivedAt: '2026-11-20T12:00:00.000Z',
});

/** An event to publish; about a resource of its own, the first there, unless said otherwise. */
export interface Planned {
  readonly resourceId?: string;
  readonly sequence?: number;
  readonly transactionId?: string;
}

/** Publishes events of an application in one commit, as a feature does, and returns their ids in that order. */
export async function publishEvents(
  t: TestApp,
  { organisationId, id: clientAppId }: Pick<TestClient, 'organisationId' | 'id'>,
  planned: readonly Planned[],
  subject?: SubjectRef,
): Promise<string[]> {
  const vault = t.app.get(Vault);
  const about = subject ?? vault.organisationSubject(organisationId);
  await vault.prepare([about]);
  const publisher = t.app.get(EventPublisher);
  const events = planned.map(({ resourceId = newUuid(), sequence = 1, transactionId }, i) =>
    publisher.compose({
      organisationId,
      clientAppId,
      type: 'kyt.transaction.queued',
      resource: { type: 'transaction', id: resourceId },
      sequence,
      correlationId: 'corr-1',
      occurredAt: new Date(),
      data: queuedData(transactionId ?? `t-${i}`),
      subject: about,
    }),
  );
  await t.app.get(UnitOfWork).run(organisationId, (tx) => publisher.publish(tx, events));
  return events.map(({ id }) => id);
}

/** So many events about as many resources. */
export const oneEach = (count: number): Planned[] => Array.from({ length: count }, () => ({}));
