import { VelocityLog } from '../../domain/facts/velocity-log.js';
import type { LogSlice } from '../../domain/facts/velocity-window.js';
import { LAST_SEQ, type LaterRow, type LogRequest, type LogSegment } from '../../store/velocity.queries.js';

/** A key of a transaction for which rows are read. */
export interface LogEntry {
  /** The index of the transaction in the batch. */
  readonly place: number;
  /** The number of the custom field; null if the key is not a custom field. */
  readonly field: number | null;
  readonly organisationId: string;
  readonly key: Buffer;
  readonly otherKey: Buffer | null;
  readonly occurredAt: Date;
  readonly seq: string;
  readonly reachMs: number;
}

/**
 * Transactions of one key whose windows overlap, the newest first. Each row of the key is read once, in segments: from
 * each transaction to the next older one, and from the oldest as far back as windows reach.
 */
export interface LogChain {
  readonly members: readonly LogEntry[];
  /** The segment before each member, in the same order. */
  readonly requests: readonly LogRequest[];
  /** The index of the first of these requests among all requests of the dimension. */
  readonly at: number;
}

/** The rows of one key that windows of a transaction reach, and moments beyond them. */
export interface ReadSlice extends LogSlice {
  readonly olderAt: number | null;
  readonly firstAt: number | null;
  readonly laterSeqs: readonly number[];
  /** The index of the first row whose windows reach the transaction; such rows end before `first`. */
  readonly effective: number;
}

const NO_SEQS: readonly number[] = [];

const seqsBefore = (until: number, rows: readonly LaterRow[]): number[] =>
  rows.filter(({ time }) => time < until).map(({ seq }) => seq);

/**
 * Groups the entries by key. Transactions of one key are in different chains if they lie so far apart that no window
 * spans them.
 */
export function chainsOf(entries: readonly LogEntry[]): LogChain[] {
  const byKey = new Map<string, LogEntry[]>();
  for (const entry of entries) {
    const { organisationId, key, otherKey } = entry;
    const name = `${organisationId}${key.toString('latin1')}|${otherKey?.toString('latin1') ?? ''}`;
    const members = byKey.get(name);
    if (members) members.push(entry);
    else byKey.set(name, [entry]);
  }
  const chains: LogChain[] = [];
  let at = 0;
  for (const same of byKey.values()) {
    for (const members of splitByOverlap(same)) {
      chains.push({ members, requests: requestsOf(members, at), at });
      at += members.length;
    }
  }
  return chains;
}

const timeOf = ({ occurredAt }: LogEntry): number => occurredAt.getTime();
const sinceOf = (entry: LogEntry): number => timeOf(entry) - entry.reachMs;

function splitByOverlap(members: LogEntry[]): LogEntry[][] {
  if (members.length === 1) return [members];
  const chains: LogEntry[][] = [];
  let since = Infinity;
  members.sort((a, b) => timeOf(b) - timeOf(a) || Number(b.seq) - Number(a.seq));
  for (const entry of members) {
    const chain = chains.at(-1);
    if (chain && timeOf(entry) > since) chain.push(entry);
    else {
      chains.push([entry]);
      since = Infinity;
    }
    since = Math.min(since, sinceOf(entry));
  }
  return chains;
}

function requestsOf(members: readonly LogEntry[], at: number): LogRequest[] {
  let [since, reachMs] = [Infinity, 0];
  for (const member of members) {
    since = Math.min(since, sinceOf(member));
    reachMs = Math.max(reachMs, member.reachMs);
  }
  return members.map(({ organisationId, key, otherKey, occurredAt, seq }, i) => {
    const older = members[i + 1];
    return {
      organisationId,
      key,
      otherKey,
      reachMs,
      from: older?.occurredAt ?? new Date(since),
      fromSeq: older?.seq ?? LAST_SEQ,
      to: occurredAt,
      toSeq: seq,
      newest: at + 1,
      oldest: at + members.length,
    };
  });
}

/**
 * Puts the segments of a chain together again. Returns the rows that each member reads, in order; null if a segment is
 * missing.
 */
export function slicesOf(
  { members }: LogChain,
  found: readonly (LogSegment | undefined)[],
): ReadSlice[] | null {
  // A fast path: nearly every key belongs to one transaction only.
  const [only] = members;
  const [whole] = found;
  if (only && whole && members.length === 1) {
    const { laterRows } = whole;
    return [sliceOf(only, only, { log: joinSegments([whole]), first: 0, laterRows, oldest: whole })];
  }
  const segments = found.filter((segment) => segment !== undefined);
  const oldest = segments.at(-1);
  if (!oldest || segments.length < members.length) return null;
  const slices: ReadSlice[] = [];
  let laterRows = segments[0]?.laterRows ?? [];
  let from = 0;
  segments.forEach((segment, i) => {
    // Rows between a cut segment and the next segment belong to no window.
    if (!segment.isCut && segment !== oldest) return;
    const parts = segments.slice(from, i + 1);
    const newest = members[from];
    const log = joinSegments(parts);
    let first = 0;
    parts.forEach((part, n) => {
      const member = members[from + n];
      if (!member || !newest) throw new Error('a segment of a log belongs to no transaction');
      slices.push(sliceOf(member, newest, { log, first, laterRows, oldest }));
      first += part.count;
    });
    laterRows = segment.cutRows;
    from = i + 1;
  });
  return slices;
}

function joinSegments(parts: readonly LogSegment[]): VelocityLog {
  const [only] = parts;
  const isCut = parts.at(-1)?.isCut ?? false;
  if (only && parts.length === 1) {
    return only.count === 0 ? VelocityLog.EMPTY : VelocityLog.decode(only.packed, only.count, isCut);
  }
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  return VelocityLog.decode(Buffer.concat(parts.map(({ packed }) => packed)), count, isCut);
}

interface Found {
  readonly log: VelocityLog;
  readonly first: number;
  readonly laterRows: readonly LaterRow[];
  readonly oldest: LogSegment;
}

function sliceOf(member: LogEntry, newest: LogEntry, { log, first, laterRows, oldest }: Found): ReadSlice {
  const end = log.indexOfNewestBefore(sinceOf(member) * 1_000, Infinity);
  const until = (timeOf(member) + member.reachMs) * 1_000;
  return {
    log,
    first,
    end,
    firstAt: oldest.firstAt,
    olderAt: end < log.length ? (log.times[end] ?? 0) / 1_000 : oldest.olderAt,
    // Nearly always there are no later rows.
    laterSeqs: laterRows.length === 0 ? NO_SEQS : seqsBefore(until, laterRows),
    // No row of the log occurred after the newest transaction.
    effective: member === newest ? 0 : log.indexOfNewestBefore(until, -1),
  };
}
