import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AuditTrail, CHAIN_START, composeEntry } from '../audit/index.js';
import { UnitOfWork, type Tx } from '../database/index.js';
import { Clock, newUuid, publicId } from '../kernel/index.js';
import { BlindIndex, ErasureWatch, sealContext, Vault, type SubjectRef } from '../privacy/index.js';
import { EventPublisher } from '../webhooks/index.js';
import { CustomerMerges } from './customer-merges.js';
import { enriched, type CustomerProfile, type KnownCustomer } from './domain/customer.js';
import {
  keyed,
  personTypeOf,
  profileOf,
  type CustomerSighting,
  type KeyedSighting,
} from './domain/sighting.js';
import { CustomerTies } from './customer-ties.js';
import {
  CustomerRepository,
  MOST_IDS,
  type CustomerRow,
  type NewCustomer,
} from './store/customer.repository.js';

/** Who a sighting is. */
export interface Identified {
  readonly customerId: string;
  /** The key under which hits about this person are kept. */
  readonly subjectIndex: Buffer;
  /** Whether a name is known, and so was screened. */
  readonly named: boolean;
}

/** A customer with what its record says beside the profile. */
export interface FoundCustomer extends KnownCustomer {
  /** Whose events tell of this customer; null for nobody's. */
  readonly clientAppId: string | null;
  readonly assurance: 'DECLARED' | 'DOCUMENT' | 'VERIFIED';
  readonly identifiedAt: Date;
}

interface Remembered extends Identified {
  readonly complete: { readonly external: boolean; readonly document: boolean };
}

// The same customers come again and again; an entry is about 300 bytes.
const REMEMBERED = 100_000;
// Whoever lost a race looks again; after so many it is what others made of it.
const MAX_TRIES = 4;
// A name begins with the id of the organisation.
const ORGANISATION_LENGTH = 36;

/** Customers of organisations: one record per person, however often and under whatever key the person is seen. */
@Injectable()
export class CustomersService implements OnModuleInit {
  private readonly known = new Map<string, Remembered>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly events: EventPublisher,
    private readonly vault: Vault,
    private readonly index: BlindIndex,
    private readonly clock: Clock,
    private readonly customers: CustomerRepository,
    private readonly merges: CustomerMerges,
    private readonly ties: CustomerTies,
    private readonly erasures: ErasureWatch,
  ) {}

  onModuleInit(): void {
    this.merges.onChanged((ids) => {
      this.forget(...ids);
    });
    this.erasures.onErased((subjects) => {
      this.forgetSubjects(subjects);
    });
  }

  /**
   * Who each sighting is, in order; null for one that names nobody. Whoever is new gets a record, an audit entry and
   * the event `customer.identified`, in one commit for the whole batch.
   */
  async identify(sightings: readonly CustomerSighting[]): Promise<(Identified | null)[]> {
    const keys = sightings.map((sighting) => keyed(this.index, sighting));
    const known = keys.map((key) => key && this.remembered(key));
    const unknown = keys.filter((key, i): key is KeyedSighting => key !== null && !known[i]);
    if (unknown.length > 0) {
      await this.recognise(unknown);
      const strangers = distinct(unknown.filter((key) => !this.remembered(key, true)));
      if (strangers.length > 0) {
        await this.register(strangers);
        // Somebody else may have been quicker; then theirs is the record.
        await this.recognise(strangers.filter((key) => !this.remembered(key, true)));
        // Of two sightings of one stranger the other may say more.
        const more = unknown.filter((key) => !strangers.includes(key) && !this.remembered(key));
        if (more.length > 0) await this.recognise(more);
        // Whose id is that of somebody with another document is a person of their own, without it.
        const apart = unknown.flatMap((key) =>
          key.document !== null && key.external !== null && !this.remembered(key, true)
            ? [{ ...key, external: null }]
            : [],
        );
        if (apart.length > 0) {
          await this.register(distinct(apart));
          await this.recognise(apart.filter((key) => !this.remembered(key, true)));
        }
      }
    }
    return keys.map((key, i) => {
      const found = key && (known[i] ?? this.remembered(key, true));
      return found
        ? { customerId: found.customerId, subjectIndex: found.subjectIndex, named: found.named }
        : null;
    });
  }

  /** Who each sighting is among the customers there are, in order; nobody is registered, and nothing is written. */
  async recall(sightings: readonly CustomerSighting[]): Promise<(Identified | null)[]> {
    const keys = sightings.map((sighting) => keyed(this.index, sighting));
    const asked = keys.filter((key) => key !== null);
    const rows = asked.length > 0 ? await this.customers.findAny(asked) : [];
    return keys.map((key) => {
      const row = key && rowOf(rows, key);
      return row ? identityOf(row) : null;
    });
  }

  /** Forgets in this process who customers are, because their records say so no more. */
  forget(...customerIds: readonly string[]): void {
    const gone = new Set(customerIds);
    for (const [name, one] of this.known) if (gone.has(one.customerId)) this.known.delete(name);
  }

  private forgetSubjects(subjects: readonly SubjectRef[]): void {
    const gone = new Set(subjects.map(({ organisationId, index }) => nameOf(organisationId, index)));
    for (const [name, one] of this.known) {
      const subject = name.slice(0, ORGANISATION_LENGTH) + one.subjectIndex.toString('latin1');
      if (gone.has(name) || gone.has(subject)) this.known.delete(name);
    }
  }

  /** Under whose key what is written about a customer is sealed; null for one that is not there or was erased. */
  async subjectOf(organisationId: string, id: string): Promise<SubjectRef | null> {
    const index = await this.customers.subjectIndex(organisationId, id);
    return index && { organisationId, index };
  }

  /** The record that answers to this id: itself, or the one that it was merged into; null when there is none. */
  async survivor(organisationId: string, id: string): Promise<string | null> {
    return this.customers.survivor(organisationId, id);
  }

  /** What a filter by this id means: of a merged record the one that stays; what is nobody's id finds nothing. */
  async meant(organisationId: string, id: string | undefined): Promise<string | undefined> {
    return id === undefined ? undefined : ((await this.survivor(organisationId, id)) ?? id);
  }

  /** Every id of the institution by which this customer is found, the first one first. */
  async externalIdsOf({
    id,
    organisationId,
    profile,
  }: Pick<FoundCustomer, 'id' | 'organisationId' | 'profile'>): Promise<string[]> {
    const merged = await this.open(await this.customers.mergedInto(organisationId, id));
    const all = [profile, ...merged].map((one) => one?.externalCustomerId ?? null);
    return [...new Set(all.filter((one) => one !== null))];
  }

  /**
   * A record for somebody of whom nothing is known yet, such as whoever opens a link. Nobody is identified by that, so
   * no event is sent; `confirm` or a later sighting says who it is.
   */
  async registerUnnamed(
    sighting: Omit<CustomerSighting, 'externalCustomerId' | 'taxId' | 'name' | 'birthDate'>,
  ): Promise<Identified> {
    const { organisationId } = sighting;
    const subject = { organisationId, index: this.index.of(organisationId, 'unattributed', newUuid()) };
    await this.vault.prepare([subject]);
    const nothing = { externalCustomerId: null, taxId: null, name: null, birthDate: null };
    const keys = { external: null, document: null, masked: null, subject };
    const { row, entry } = this.compose({ ...sighting, ...nothing, ...keys }, new Date(this.clock.now()));
    await this.uow.run(organisationId, async (tx) => {
      await this.customers.insert(tx, [row]);
      await this.audit.append(tx, [entry]);
    });
    return { customerId: row.id, subjectIndex: subject.index, named: false };
  }

  /**
   * Says who the customer of a record is, by a document that was shown: the record gets it, or, if somebody's record has
   * it already, that one is returned. A record with another document is left as it is. Null when there is no record.
   */
  async confirm(customerId: string, sighting: CustomerSighting): Promise<Identified | null> {
    const key = keyed(this.index, sighting);
    const row = await this.customers.find(sighting.organisationId, customerId);
    if (!key?.document || !row) return row && identityOf(row);
    const { document } = key;
    const holder = (await this.customers.findAny([key])).find((one) => one.document?.equals(document));
    if (holder && holder.id !== row.id) {
      // A record that was only made for the link is this person's. One with an id of the institution is not taken for
      // somebody else's on the word of whoever opened a link: a transaction that names both says so.
      if (row.external === null && row.document === null) await this.merge(row, holder, key);
      await this.settle({ ...key, external: null }, await this.customers.findAny([key]));
      return identityOf(holder);
    }
    if (row.document && !row.document.equals(document)) return identityOf(row);
    await this.enrich(row, key, row.document === null ? (key.clientAppId ?? row.clientAppId) : null);
    const now = await this.customers.find(sighting.organisationId, customerId);
    return now && identityOf(now);
  }

  /** One customer with the profile opened, under whichever of its ids; null when there is none, or it was erased. */
  async find(organisationId: string, id: string): Promise<FoundCustomer | null> {
    const row = await this.customers.find(organisationId, id);
    const [profile] = row ? await this.open([row]) : [];
    if (!row || !profile) return null;
    const { personType, subjectIndex, clientAppId, assurance, identifiedAt } = row;
    return {
      ...{ id: row.id, organisationId, personType, subjectIndex, profile },
      ...{ clientAppId, assurance, identifiedAt },
    };
  }

  async count(tx: Tx, organisationId: string): Promise<number> {
    return this.customers.count(tx, organisationId);
  }

  /** Customers in pages by id, profiles opened; those that were erased are left out. */
  async page(
    organisationId: string,
    after: string | null,
    limit: number,
  ): Promise<{ readonly customers: readonly KnownCustomer[]; readonly last: string | null }> {
    const rows = await this.customers.page(organisationId, after, limit);
    const profiles = await this.open(rows);
    return {
      customers: rows.flatMap((row, i) => {
        const profile = profiles[i];
        const { id, personType, subjectIndex } = row;
        return profile ? [{ id, organisationId, personType, subjectIndex, profile }] : [];
      }),
      last: rows.length === limit ? (rows.at(-1)?.id ?? null) : null,
    };
  }

  /** What this process knows of the customer; `partly`: also when the sighting has more to say. */
  private remembered(key: KeyedSighting, partly = false): Remembered | undefined {
    const byId = this.known.get(nameOf(key.organisationId, key.external));
    const found =
      this.known.get(nameOf(key.organisationId, key.document)) ??
      // With another document it is another person's.
      (key.document !== null && byId?.complete.document === true ? undefined : byId);
    if (!found || partly) return found;
    const more =
      (key.document !== null && !found.complete.document) ||
      (key.external !== null && !found.complete.external) ||
      (key.name !== null && !found.named) ||
      (key.external !== null && !byId);
    return more ? undefined : found;
  }

  private async recognise(keys: readonly KeyedSighting[]): Promise<void> {
    if (keys.length === 0) return;
    const rows = await this.customers.findAny(keys);
    for (const row of rows) this.remember(row);
    for (const key of keys) await this.settle(key, rows);
  }

  /** Brings the records and what the sighting says of them together; again when somebody else did so meanwhile. */
  private async settle(key: KeyedSighting, rows: readonly CustomerRow[], tries = MAX_TRIES): Promise<void> {
    const row = rowOf(rows, key);
    if (!row) return;
    const again = async (): Promise<void> => {
      await this.settle(key, await this.customers.findAny([key]), tries - 1);
    };
    const twin = twinOf(rows, row, key);
    if (twin && tries > 1) {
      await this.merge(twin, row, key);
      return again();
    }
    const adds =
      (key.document !== null && row.document === null) ||
      (key.external !== null && row.external === null && !twinOf(rows, row, key, true)) ||
      (key.name !== null && !row.named);
    if (isAnotherId(rows, row, key) && tries > 1) {
      await this.registerId(key);
      return again();
    }
    if (!adds) this.alias(row, key);
    else if (!(await this.enrich(row, key)) && tries > 1) return again();
  }

  private async merge(from: CustomerRow, into: CustomerRow, key: KeyedSighting): Promise<void> {
    const { organisationId, requestId, correlationId } = key;
    const acting = { organisationId, actor: actorOf(key), requestId, correlationId };
    await this.merges.merge(acting, { organisationId, from: from.id, into: into.id });
    this.forget(from.id);
  }

  /**
   * A record for the institution's other id of a person, which is then merged into that person's. So an id is never
   * anybody else's at the same time, and goes on answering as any merged one. Nobody is identified by it: no event.
   */
  private async registerId(key: KeyedSighting): Promise<void> {
    const nothing = { taxId: null, name: null, birthDate: null, clientAppId: null };
    const own = keyed(this.index, { ...key, ...nothing });
    if (own) await this.register([own]);
  }

  /** Adds to a record what a sighting knows beyond it; false when somebody else has one of its keys. */
  private async enrich(
    row: CustomerRow,
    key: KeyedSighting,
    announceTo: string | null = null,
  ): Promise<boolean> {
    const [profile] = await this.open([row]);
    const together = profile ? enriched(profile, profileOf(key)) : null;
    if (!together) {
      this.alias(row, key);
      return true;
    }
    const { organisationId } = row;
    // A document is the better key: from now on the person's data stands under it, as in the transactions.
    const subject: SubjectRef = key.document ? key.subject : { organisationId, index: row.subjectIndex };
    const sealed = await this.vault.sealOne(JSON.stringify(together), subject, contextOf(row));
    const changed = {
      ...row,
      external: row.external ?? key.external,
      document: row.document ?? key.document,
      masked: key.masked,
      sealed,
      subjectIndex: subject.index,
      personType: key.document ? personTypeOf(key) : (row.personType ?? 'NATURAL'),
      named: together.name !== null,
    };
    const done = await this.uow.run(organisationId, async (tx) => {
      if (!(await this.customers.enrich(tx, changed, row.sealed))) return false;
      if (!subject.index.equals(row.subjectIndex)) {
        const { requestId, correlationId } = key;
        const acting = { organisationId, actor: actorOf(key), requestId, correlationId };
        const move = { organisationId, from: row.id, into: row.id, subjectIndex: subject.index };
        await this.ties.move(tx, acting, move);
      }
      const [entry] = await this.audit.record(tx, [
        {
          subject: { organisationId, type: 'customer', id: row.id },
          action: 'customer.enriched',
          actor: actorOf(key),
          requestId: key.requestId,
          correlationId: key.correlationId,
          occurredAt: new Date(this.clock.now()),
          content: {
            document: row.document === null && key.document !== null,
            externalCustomerId: row.external === null && key.external !== null,
            name: !row.named && key.name !== null,
          },
        },
      ]);
      if (announceTo !== null && entry) {
        const { seq } = entry.position;
        await this.events.publish(tx, [this.identifiedEvent(key, row.id, announceTo, seq, subject)]);
      }
      return true;
    });
    if (done) this.remember(changed);
    else this.alias(row, key);
    return done;
  }

  private async register(keys: readonly KeyedSighting[]): Promise<void> {
    await this.vault.prepare(keys.map(({ subject }) => subject));
    const occurredAt = new Date(this.clock.now());
    const made = keys.map((key) => this.compose(key, occurredAt));
    await this.uow.run(
      keys.map(({ organisationId }) => organisationId),
      async (tx) => {
        const mine = await this.customers.insert(
          tx,
          made.map(({ row }) => row),
        );
        const inserted = made.filter(({ row }) => mine.has(row.id));
        await this.audit.append(
          tx,
          inserted.map(({ entry }) => entry),
        );
        await this.events.publish(
          tx,
          inserted.flatMap(({ event }) => event ?? []),
        );
        return inserted;
      },
    );
    // What others inserted first is found by the next look.
    const rows = await this.customers.findAny(keys);
    for (const row of rows) this.remember(row);
  }

  private compose(
    key: KeyedSighting,
    occurredAt: Date,
  ): {
    readonly row: NewCustomer;
    readonly entry: ReturnType<typeof composeEntry>;
    readonly event: ReturnType<EventPublisher['compose']> | null;
  } {
    const { organisationId, clientAppId, subject } = key;
    const id = newUuid();
    const assurance = key.document ? 'DOCUMENT' : 'DECLARED';
    const personType = personTypeOf(key);
    const entry = composeEntry(
      {
        subject: { organisationId, type: 'customer', id },
        action: 'customer.identified',
        actor: actorOf(key),
        requestId: key.requestId,
        correlationId: key.correlationId,
        occurredAt,
        content: { by: key.by, assurance, personType, document: key.document !== null },
      },
      CHAIN_START,
    );
    const row: NewCustomer = {
      id,
      organisationId,
      clientAppId,
      personType,
      assurance,
      identifiedBy: key.by,
      subjectIndex: subject.index,
      external: key.external,
      document: key.document,
      masked: key.masked,
      named: key.name !== null,
      sealed: this.vault.seal(JSON.stringify(profileOf(key)), subject, contextOf({ id, organisationId })),
      trailHash: entry.hash,
    };
    // Events go to an application; an operator's own customer is nobody's.
    const event =
      clientAppId === null ? null : this.identifiedEvent(key, id, clientAppId, CHAIN_START.seq, subject);
    return { row, entry, event };
  }

  private identifiedEvent(
    key: KeyedSighting,
    id: string,
    clientAppId: string,
    sequence: number,
    subject: SubjectRef,
  ): ReturnType<EventPublisher['compose']> {
    return this.events.compose({
      organisationId: key.organisationId,
      clientAppId,
      type: 'customer.identified',
      resource: { type: 'customer', id },
      sequence,
      correlationId: key.correlationId,
      traceparent: key.traceparent,
      occurredAt: new Date(this.clock.now()),
      subject,
      data: {
        customerId: publicId('cus', id),
        externalCustomerId: key.externalCustomerId,
        documentMasked: key.taxId?.maskedText ?? null,
        personType: personTypeOf(key),
        assurance: key.document ? 'DOCUMENT' : 'DECLARED',
        identifiedBy: key.by,
      },
    });
  }

  private async open(
    rows: readonly Pick<CustomerRow, 'id' | 'organisationId' | 'sealed'>[],
  ): Promise<(CustomerProfile | null)[]> {
    const opened = await this.vault.openMany(
      rows.map((row) => ({ sealed: row.sealed, context: contextOf(row) })),
    );
    return opened.map((plain) => (plain ? (JSON.parse(plain.toString('utf8')) as CustomerProfile) : null));
  }

  private remember(
    row: Pick<CustomerRow, 'id' | 'organisationId' | 'subjectIndex' | 'document' | 'external' | 'named'>,
  ): void {
    const { organisationId, document, external } = row;
    const remembered = {
      complete: { document: document !== null, external: external !== null },
      ...identityOf(row),
    };
    for (const key of [document, external]) if (key) this.keep(nameOf(organisationId, key), remembered);
  }

  /** One of the keys of the sighting belongs to another record; asking for both again would find the same. */
  private alias(row: CustomerRow, key: KeyedSighting): void {
    const remembered = {
      // What the sighting does not have may come with another one.
      complete: {
        document: key.document !== null || row.document !== null,
        external: key.external !== null || row.external !== null,
      },
      ...identityOf(row),
    };
    for (const own of [key.document, key.external]) {
      if (own && (own === key.document || key.document === null)) {
        this.keep(nameOf(row.organisationId, own), remembered);
      }
    }
  }

  private keep(name: string, remembered: Remembered): void {
    if (this.known.size >= REMEMBERED) {
      const oldest = this.known.keys().next();
      if (!oldest.done) this.known.delete(oldest.value);
    }
    this.known.delete(name);
    this.known.set(name, remembered);
  }
}

const identityOf = ({
  id,
  subjectIndex,
  named,
}: Pick<CustomerRow, 'id' | 'subjectIndex' | 'named'>): Identified => ({
  customerId: id,
  subjectIndex,
  named,
});

/** Whether the sighting names the person of this record by an id that is nobody's yet. */
const isAnotherId = (rows: readonly CustomerRow[], row: CustomerRow, key: KeyedSighting): boolean =>
  key.external !== null &&
  row.external !== null &&
  key.document !== null &&
  row.document?.equals(key.document) === true &&
  row.merged < MOST_IDS &&
  !rows.some(
    ({ organisationId, external }) =>
      organisationId === key.organisationId && external !== null && key.external?.equals(external) === true,
  );

const nameOf = (organisationId: string, index: Buffer | null): string =>
  index === null ? '' : organisationId + index.toString('latin1');

const contextOf = ({ id, organisationId }: { id: string; organisationId: string }): string =>
  sealContext('customers', id, organisationId);

const actorOf = ({ by, clientAppId }: KeyedSighting): { type: 'client' | 'system'; id: string } =>
  clientAppId === null ? { type: 'system', id: by.toLowerCase() } : { type: 'client', id: clientAppId };

/** One sighting for each person of the batch. */
function distinct(keys: readonly KeyedSighting[]): KeyedSighting[] {
  const seen = new Set<string>();
  return keys.filter((key) => {
    const names = [key.document, key.external]
      .filter((own) => own !== null)
      .map((own) => nameOf(key.organisationId, own));
    const isNew = names.every((name) => !seen.has(name));
    for (const name of names) seen.add(name);
    return isNew;
  });
}

/** Another record of the same person: without a document of its own; `held`: also one with another document. */
const twinOf = (
  rows: readonly CustomerRow[],
  row: CustomerRow,
  key: KeyedSighting,
  held = false,
): CustomerRow | undefined =>
  key.document === null || row.document?.equals(key.document) !== true
    ? undefined
    : rows.find(
        ({ id, organisationId, external, document }) =>
          organisationId === key.organisationId &&
          id !== row.id &&
          (held || document === null) &&
          external !== null &&
          key.external?.equals(external) === true,
      );

/**
 * The record that a sighting is about: by document first, which is the better key; by the institution's id unless the
 * two have different documents.
 */
const rowOf = (rows: readonly CustomerRow[], key: KeyedSighting): CustomerRow | undefined =>
  rows.find(
    ({ organisationId, document }) =>
      organisationId === key.organisationId && document !== null && key.document?.equals(document) === true,
  ) ??
  rows.find(
    ({ organisationId, external, document }) =>
      organisationId === key.organisationId &&
      external !== null &&
      key.external?.equals(external) === true &&
      (document === null || key.document === null || key.document.equals(document)),
  );
