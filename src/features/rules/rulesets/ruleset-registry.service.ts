import { Injectable, Logger } from '@nestjs/common';
import { isAltered, TrailSurvey, type Subject } from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Readiness } from '../../../platform/http/index.js';
import { Periodic } from '../../../platform/schedule/index.js';
import { compileRuleset, evaluationSchema } from '../domain/compiled-ruleset.js';
import { millisOf } from '../domain/scoring/requested-action.js';
import { contentHashOf } from '../domain/content-hash.js';
import type { PublishedRuleset } from '../domain/ruleset.js';
import {
  customFieldFeature,
  type FeatureSchema,
  type InputName,
  type CustomFieldFeature,
  type RulesetDefinition,
} from '../language/index.js';
import {
  hashOfCustomFields,
  customFieldOf,
  type CustomFieldDefinition,
} from '../domain/custom-fields/custom-field-schema.js';
import {
  specificityOf,
  selectRulesets,
  type SelectableRuleset,
  type SelectionKey,
  type RulesetSelection,
} from '../domain/selection.js';
import {
  readEpochs,
  readLiveRulesets,
  readRulesetsByHash,
  type LiveRulesetsRow,
  type StoredInputProfile,
  type StoredRuleset,
} from '../store/rules.statements.js';
import type { RuleSnoozeEntity } from '../store/entities.js';

/** A published version as evaluations use it. */
export interface LiveRuleset extends PublishedRuleset, SelectableRuleset {
  /** Rules with a cooldown, and its length in milliseconds. */
  readonly cooldowns: ReadonlyMap<string, number>;
  /** True if one person alone published it. */
  readonly singleControl: boolean;
}

/** A snooze that had not ended when it was loaded. */
export type LiveSnooze = Readonly<
  Pick<RuleSnoozeEntity, 'id' | 'rulesetKey' | 'ruleKey' | 'beginsAt' | 'endsAt' | 'singleControl'>
>;

/**
 * Everything that is live for one organisation at one moment. Immutable, so that a batch is evaluated with one state,
 * even if a version is published meanwhile.
 */
export class LiveRulesets {
  private readonly schemas = new Map<string, FeatureSchema>();

  constructor(
    readonly organisationId: string,
    readonly epoch: string,
    /** The newest first. */
    readonly rulesets: readonly LiveRuleset[],
    private readonly snoozes: readonly LiveSnooze[],
    readonly customFields: PublishedCustomFields,
    /** True if a ruleset was altered in the database; no ruleset of the organisation is used until the repair. */
    readonly isAltered = false,
    /** The inputs that applications have said not to send, by the id of the application. */
    private readonly inputs: ReadonlyMap<string, StoredInputProfile> = new Map(),
  ) {}

  /** Returns the inputs that an application has said not to send. */
  withoutInputs(clientAppId: string): readonly InputName[] {
    return this.inputs.get(clientAppId)?.without ?? [];
  }

  /** True if one person alone approved what the application does not send. */
  areInputsSingleControlled(clientAppId: string): boolean {
    return this.inputs.get(clientAppId)?.singleControl === true;
  }

  get hasCooldowns(): boolean {
    return this.rulesets.some(({ cooldowns }) => cooldowns.size > 0);
  }

  /** Selects the rulesets that evaluate a transaction, and which of them decides. */
  select(transaction: SelectionKey): RulesetSelection<LiveRuleset> {
    return selectRulesets(this.isAltered ? [] : this.rulesets, transaction);
  }

  /** Returns a schema for the facts of every ruleset that evaluates the transaction. */
  schemaFor(transaction: SelectionKey): FeatureSchema {
    const { deciding, shadows } = this.select(transaction);
    const judging = deciding ? [deciding, ...shadows] : shadows;
    const name = judging.map(({ id }) => id).join();
    let schema = this.schemas.get(name);
    if (!schema) {
      // All custom fields are stored with the facts, so that later rules can be back-tested on them.
      schema = evaluationSchema(judging).with(this.customFields.features);
      this.schemas.set(name, schema);
    }
    return schema;
  }

  /** True if one person alone published the ruleset or the custom fields, or silenced one of its rules. */
  isSingleControlled({ singleControl, content: { key } }: LiveRuleset, at: Date): boolean {
    return (
      singleControl ||
      this.customFields.singleControl ||
      this.snoozes.some(
        (snooze) =>
          snooze.singleControl && snooze.rulesetKey === key && snooze.beginsAt <= at && at < snooze.endsAt,
      )
    );
  }

  /** The rules of a ruleset that are snoozed at that moment. */
  snoozedRules(rulesetKey: string, at: Date): ReadonlySet<string> {
    if (this.snoozes.length === 0) return NO_RULES;
    return new Set(
      this.snoozes
        .filter((snooze) => snooze.rulesetKey === rulesetKey && snooze.beginsAt <= at && at < snooze.endsAt)
        .map((snooze) => snooze.ruleKey),
    );
  }
}

const NO_RULES: ReadonlySet<string> = new Set();

/** The current custom fields of an organisation. */
export class PublishedCustomFields {
  static readonly EMPTY = new PublishedCustomFields(0, [], [], false);
  /** The stored fields were altered after their publication, so no metadata can be checked against them. */
  static readonly ALTERED = new PublishedCustomFields(0, [], [], false);
  /** The fields as features of rules. */
  readonly features: readonly CustomFieldFeature[];
  private readonly backfilled: ReadonlySet<number>;

  constructor(
    readonly version: number,
    readonly fields: readonly CustomFieldDefinition[],
    unfilled: readonly number[],
    /** True if one person alone changed the fields last. */
    readonly singleControl: boolean,
  ) {
    this.features = fields.map((field) => customFieldFeature(customFieldOf(field)));
    this.backfilled = new Set(
      fields
        .filter(({ number, history }) => history !== 'NONE' && !unfilled.includes(number))
        .map(({ number }) => number),
    );
  }

  /** True if the values of the field are stored for all transactions, including earlier ones. */
  isBackfilled(field: number): boolean {
    return this.backfilled.has(field);
  }
}

interface CachedRulesets {
  readonly live: LiveRulesets;
  /** True if rulesets are published and none of them can be used. */
  readonly isBlind: boolean;
  checkedAt: number;
  verifiedAt: number;
}

// Every process must apply a change within 1 s: 400 ms until it checks for one, the rest for loading.
const FRESH_MS = 400;
// Stored rows are checked for alterations every 10 s; meanwhile the content in memory is used.
const VERIFY_MS = 10_000;

/**
 * The live rulesets of this process, compiled once per version. At most every 400 ms it reads the organisation's epoch,
 * one number in the database, and reloads only if that has changed.
 */
@Injectable()
export class RulesetRegistryService {
  private readonly logger = new Logger(RulesetRegistryService.name);
  private readonly cached = new Map<string, CachedRulesets>();
  private readonly pendingLoads = new Map<string, Promise<LiveRulesets>>();
  // A version never changes, so its compiled form is kept over reloads.
  private readonly compiledVersions = new Map<string, LiveRuleset | null>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly survey: TrailSurvey,
    readiness: Readiness,
  ) {
    readiness.watch('rulesets', () => [...this.cached.values()].some(({ isBlind }) => isBlind));
  }

  /** Reloads unusable rulesets, because they may have been repaired. */
  @Periodic({ everyMs: VERIFY_MS, otherwise: 'repaired rulesets are not noticed', runsIn: 'every process' })
  async reloadUnusable(): Promise<void> {
    await this.readLiveRulesets([...this.cached].flatMap(([id, { isBlind }]) => (isBlind ? [id] : [])));
  }

  /** Returns the live rulesets of each organisation; a caller uses them for its whole batch. */
  async readLiveRulesets(organisationIds: Iterable<string>): Promise<ReadonlyMap<string, LiveRulesets>> {
    const distinctIds = [...new Set(organisationIds)];
    const stale = distinctIds.filter((id) => !this.isFresh(id));
    if (stale.length > 0) await this.refresh(stale);
    const pinned = new Map<string, LiveRulesets>();
    for (const id of distinctIds) pinned.set(id, await this.readCurrent(id));
    return pinned;
  }

  async readLive(organisationId: string): Promise<LiveRulesets> {
    const liveRulesets = (await this.readLiveRulesets([organisationId])).get(organisationId);
    if (!liveRulesets) throw new Error('an organisation was not pinned');
    return liveRulesets;
  }

  /** Returns versions by the hashes that receipts name, live or not; a version that cannot be used is left out. */
  async readVersionsByHash(
    organisationId: string,
    hashes: readonly string[],
  ): Promise<ReadonlyMap<string, PublishedRuleset>> {
    const rows = await this.uow.read(organisationId, (db) => readRulesetsByHash(db, organisationId, hashes));
    return new Map(
      rows.flatMap((stored) => {
        const built = this.build(stored);
        return built ? [[stored.contentHash, built] as const] : [];
      }),
    );
  }

  /** Discards the rulesets in memory, so that this process applies its own changes immediately. */
  forget(organisationId: string): void {
    this.cached.delete(organisationId);
  }

  private isFresh(organisationId: string): boolean {
    const entry = this.cached.get(organisationId);
    return entry !== undefined && performance.now() - entry.checkedAt < FRESH_MS;
  }

  /** Reads the epochs of these organisations, and drops rulesets that are out of date. */
  private async refresh(organisationIds: readonly string[]): Promise<void> {
    const cachedIds = organisationIds.filter((id) => this.cached.has(id));
    if (cachedIds.length === 0) return;
    // Read before the query, so that the next check finds a change made during it.
    const checkedAt = performance.now();
    const rows = await this.uow.read(cachedIds, (db) => readEpochs(db, cachedIds));
    const epochs = new Map(rows.map((row) => [row.organisationId, row.epoch]));
    for (const id of cachedIds) {
      const entry = this.cached.get(id);
      const isDue = entry !== undefined && checkedAt - entry.verifiedAt >= VERIFY_MS;
      if (entry?.live.epoch === (epochs.get(id) ?? NO_EPOCH) && !isDue) entry.checkedAt = checkedAt;
      else this.cached.delete(id);
    }
  }

  private async readCurrent(organisationId: string): Promise<LiveRulesets> {
    const entry = this.cached.get(organisationId);
    if (entry) return entry.live;
    // Batches that meet a new epoch at the same time share the load.
    let load = this.pendingLoads.get(organisationId);
    if (!load) {
      load = this.load(organisationId).finally(() => this.pendingLoads.delete(organisationId));
      this.pendingLoads.set(organisationId, load);
    }
    return load;
  }

  /** Reads epoch and rulesets in one snapshot of the database, so that half of a publication is never loaded. */
  private async load(organisationId: string): Promise<LiveRulesets> {
    const checkedAt = performance.now();
    const row = await this.uow.read(organisationId, (db) => readLiveRulesets(db, organisationId));
    const customFields = this.customFieldsOf(row);
    const altered =
      (await this.isAltered(organisationId, row)) || customFields === PublishedCustomFields.ALTERED;
    const liveRulesets = new LiveRulesets(
      organisationId,
      row.epoch ?? NO_EPOCH,
      (row.rulesets ?? []).flatMap((stored) => this.build(stored) ?? []),
      (row.snoozes ?? []).map((snooze) => ({
        ...snooze,
        beginsAt: new Date(snooze.beginsAt),
        endsAt: new Date(snooze.endsAt),
      })),
      customFields,
      altered,
      await this.inputsOf(organisationId, row),
    );
    const isBlind = altered || ((row.rulesets ?? []).length > 0 && liveRulesets.rulesets.length === 0);
    this.cached.set(organisationId, { live: liveRulesets, isBlind, checkedAt, verifiedAt: checkedAt });
    return liveRulesets;
  }

  /**
   * Returns what applications have said not to send. One whose row was altered in the database has said nothing: its
   * transactions need every input until the repair.
   */
  private async inputsOf(
    organisationId: string,
    { inputs }: LiveRulesetsRow,
  ): Promise<ReadonlyMap<string, StoredInputProfile>> {
    const said = new Map((inputs ?? []).map((one) => [one.id, one]));
    const subjects = [...said.keys()].map((id) => ({ type: 'client_app' as const, id }));
    for (const [{ id }, verdict] of await this.survey.verify(organisationId, subjects)) {
      if (!isAltered(verdict)) continue;
      said.delete(id);
      this.logger.error(
        `client application ${id} is not what was approved; it counts as sending every input`,
      );
    }
    return said;
  }

  private customFieldsOf({ customFields, unfilled }: LiveRulesetsRow): PublishedCustomFields {
    if (!customFields) return PublishedCustomFields.EMPTY;
    const { id, version, fields, contentHash, singleControl } = customFields;
    if (hashOfCustomFields(fields).toString('hex') === contentHash) {
      return new PublishedCustomFields(version, fields, unfilled, singleControl);
    }
    this.logger.error(`custom field schema ${id} is not what was published; its organisation is refused`);
    return PublishedCustomFields.ALTERED;
  }

  /**
   * True if a ruleset, a snooze or the custom field schema differs from the state that its audit trail recorded when it went
   * live.
   */
  private async isAltered(
    organisationId: string,
    { rulesets, snoozes, customFields }: LiveRulesetsRow,
  ): Promise<boolean> {
    const subjects: Subject[] = [
      ...(customFields ? [{ type: 'state' as const, id: `custom_field_schema:${customFields.id}` }] : []),
      ...(rulesets ?? []).map(({ id }) => ({ type: 'ruleset' as const, id })),
      ...(snoozes ?? []).map(({ id }) => ({ type: 'state' as const, id: `rule_snooze:${id}` })),
    ];
    let altered = false;
    for (const [{ type, id }, verdict] of await this.survey.verify(organisationId, subjects)) {
      if (!isAltered(verdict)) continue;
      altered = true;
      this.logger.error(
        `${type} ${id} is not what was published; nothing is judged by the rulesets of its organisation`,
      );
    }
    return altered;
  }

  /**
   * Compiles a version; null if it cannot be used. Its transactions then have no ruleset, which sends them to a person:
   * a retry cannot help.
   */
  private build(stored: StoredRuleset): LiveRuleset | null {
    const compiledVersion = this.compiledVersions.get(stored.id);
    if (compiledVersion !== undefined) return compiledVersion;
    const built = compileStored(stored);
    this.compiledVersions.set(stored.id, 'problem' in built ? null : built);
    if (!('problem' in built)) return built;
    this.logger.error(`ruleset ${stored.key} version ${stored.version} cannot be used: ${built.problem}`);
    return null;
  }
}

/** Returns the cooldowns of the LIVE rules; other rules do not count, so they need none. */
const cooldownsOf = ({ rules }: RulesetDefinition): ReadonlyMap<string, number> =>
  new Map(
    rules.flatMap(({ key, mode, cooldown }) =>
      mode === 'LIVE' && cooldown !== null ? [[key, millisOf(cooldown)] as const] : [],
    ),
  );

/** Refuses a stored ruleset whose content does not give its hash: it is not the published ruleset. */
function compileStored(stored: StoredRuleset): LiveRuleset | { problem: string } {
  const { id, key, contentHash, content, singleControl } = stored;
  if (contentHashOf(content) !== contentHash) return { problem: 'it does not match its published hash' };
  const result = compileRuleset(content);
  if (!result.ok) {
    const [first] = result.diagnostics;
    return { problem: `it does not compile (${first?.code ?? 'UNKNOWN'} at ${first?.path ?? '-'})` };
  }
  return {
    id,
    key,
    contentHash,
    content,
    compiled: result.ruleset,
    experiment: content.experiment ?? null,
    fit: specificityOf(content.selector),
    cooldowns: cooldownsOf(content),
    singleControl,
  };
}

/** The epoch of an organisation that never had anything live. */
const NO_EPOCH = '0';
