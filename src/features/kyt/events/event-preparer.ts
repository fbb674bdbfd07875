import { Injectable } from '@nestjs/common';
import { CHAIN_START, composeEntry } from '../../audit/index.js';
import type { ClientPrincipal } from '../../../platform/http/index.js';
import { newUuid, sha256 } from '../../../platform/kernel/index.js';
import {
  BlindIndex,
  encryptionContextOf,
  SealBrokenError,
  Vault,
  type SubjectRef,
} from '../../../platform/privacy/index.js';
import type { RequestContext } from '../../../platform/telemetry/index.js';
import type { CustomerEvent, SubmittedEvent } from '../domain/events/customer-event.js';
import { receivedEventContent, type PreparedEvent } from '../domain/events/prepared-event.js';
import { bodyPacking } from '../domain/stored/stored-packing.js';
import { fingerprintOf } from '../domain/submission/fingerprint.js';
import {
  computeGroupingKeys,
  submissionSubjectsOf,
  type GroupingKeys,
} from '../domain/submission/grouping.js';

/** A validated event, with its body as it was sent. */
export interface EventIntake {
  readonly client: ClientPrincipal;
  readonly context: RequestContext;
  readonly receivedAt: Date;
  readonly event: CustomerEvent;
  readonly body: SubmittedEvent;
}

/** An intake with its keys, and the subject whose key encrypts it. */
export interface EventDraft extends EventIntake {
  readonly keys: GroupingKeys;
  readonly subject: SubjectRef;
  readonly fingerprint: Buffer;
}

const contextOf = (id: string, organisationId: string): string =>
  encryptionContextOf('kyt_customer_events', id, organisationId);

/** Prepares the rows of events. Hashing and encryption happen here, outside of the database transaction. */
@Injectable()
export class EventPreparer {
  constructor(
    private readonly index: BlindIndex,
    private readonly vault: Vault,
  ) {}

  /** Prepares everything that needs no data key. */
  draft(intake: EventIntake): EventDraft {
    const { client, event, receivedAt, body } = intake;
    const { organisationId } = client;
    return {
      keys: computeGroupingKeys(this.index, organisationId, event.keyed),
      subject: submissionSubjectsOf(this.index, organisationId, event.keyed, receivedAt).main,
      fingerprint: fingerprintOf(body),
      ...intake,
    };
  }

  /** Prepares many drafts with one look-up of data keys. */
  async prepare(drafts: readonly EventDraft[]): Promise<PreparedEvent[]> {
    await this.vault.prepare(drafts.map(({ subject }) => subject));
    return drafts.map((draft) => this.seal(draft));
  }

  /** Decrypts a stored body; null if the customer was erased or the bytes were changed. */
  async open(id: string, organisationId: string, sealed: Buffer): Promise<object | null> {
    const [opened] = await this.vault.tryOpenMany([{ sealed, context: contextOf(id, organisationId) }]);
    if (!opened || opened instanceof SealBrokenError) return null;
    return JSON.parse(bodyPacking.unpack(opened).toString('utf8')) as object;
  }

  private seal({
    client,
    context,
    event,
    receivedAt,
    body,
    keys,
    subject,
    fingerprint,
  }: EventDraft): PreparedEvent {
    const { organisationId } = client;
    const { requestId, correlationId } = context;
    const id = newUuid();
    const sealedBody = this.vault.seal(
      bodyPacking.pack(JSON.stringify(body)),
      subject,
      contextOf(id, organisationId),
    );
    const { eventId, type, occurredAt, warnings, channel } = event;
    const content = receivedEventContent(
      { eventId, fingerprint: fingerprint.toString('hex'), type, occurredAt, warnings },
      {
        organisationId,
        clientAppId: client.id,
        channel,
        receivedAt,
        documentKey: keys.document,
        customerKey: keys.customer,
        externalKey: keys.external,
        accountKey: keys.account,
        deviceKey: keys.device,
        ipKey: keys.ip,
        sealedBody: sha256(sealedBody),
        requestId,
        correlationId,
      },
    );
    return {
      id,
      organisationId,
      clientAppId: client.id,
      event,
      receivedAt,
      requestId,
      correlationId,
      fingerprint,
      keys,
      sealedBody,
      received: composeEntry(
        {
          subject: { organisationId, type: 'customer_event', id },
          action: 'customer_event.received',
          actor: { type: 'client', id: client.id },
          requestId,
          correlationId,
          occurredAt: receivedAt,
          content,
        },
        CHAIN_START,
      ),
    };
  }
}
