import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Response } from 'express';
import { LogTail, type IndexedAuditEntry } from '../../audit/index.js';
import { OperatorGate, type OperatorPrincipal } from '../../../platform/http/index.js';
import { DomainError, WorkLoop } from '../../../platform/kernel/index.js';
import { ReviewQueries } from '../../reviews/index.js';
import { WaitingCountsService, MAX_COUNT } from '../cases/waiting-counts.service.js';
import { ChangeStream } from './change-stream.js';
import {
  affectsBadges,
  streamMessageOf,
  subjectsOf,
  type CaseAssignment,
  type StreamListener,
} from './topics.js';

const ROUND_INTERVAL_MS = 500;
const RETRY_AFTER_FAILURE_MS = 2_000;
const HEARTBEAT_INTERVAL_MS = 15_000;
// Maximum time between two counts of the badges: a deadline can pass without any change in the log.
const MAX_BADGES_INTERVAL_MS = 60_000;
const MIN_BADGES_INTERVAL_MS = 5_000;
export const MAX_STREAMS = 1_000;
/**
 * Maximum number of streams per operator and process. The tabs of a browser share one, so this is a person in four
 * browsers. A browser opens six connections to a host over HTTP/1.1: this limit leaves it some for calls.
 */
export const MAX_OF_ONE = 4;
// Maximum entries sent after a reconnection; a client that missed more has to reload its screen.
const MAX_MISSED = 50_000;

/**
 * Streams changes to operators as they happen. The source is the audit log: every change has an entry there, and the
 * position of the entry is the event id. A client can therefore resume in any process, and no state is stored here. One
 * read of the log serves all streams of a process.
 */
@Injectable()
export class ChangeStreamsService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ChangeStreamsService.name);
  private readonly loop = new WorkLoop(() => this.runRound());
  private readonly streams = new Set<ChangeStream>();
  private heartbeatSentAt = performance.now();

  constructor(
    private readonly tail: LogTail,
    private readonly gate: OperatorGate,
    private readonly reviews: ReviewQueries,
    private readonly counts: WaitingCountsService,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start(ROUND_INTERVAL_MS);
  }

  async onModuleDestroy(): Promise<void> {
    for (const stream of this.streams) stream.end('SHUTDOWN');
    await this.loop.stop();
  }

  /** Opens a stream that begins now, or after the event that the client received last. */
  async open(
    operator: OperatorPrincipal,
    token: string,
    listening: StreamListener,
    seen: number | null,
    response: Response,
  ): Promise<void> {
    if (this.streams.size >= MAX_STREAMS) throw new DomainError('OVERLOADED');
    const { organisationId } = operator;
    const size = (await this.tail.readSizes([organisationId])).get(organisationId) ?? 0;
    const stream = new ChangeStream(operator, token, listening, response);
    const isKnown = seen !== null && seen <= size && size - seen <= MAX_MISSED;
    stream.position = isKnown ? seen : size;
    stream.open();
    stream.send(seen === null || isKnown ? 'ready' : 'reset', {}, stream.position);
    this.closeOldest(operator.id);
    this.streams.add(stream);
    response.once('close', () => this.streams.delete(stream));
  }

  private closeOldest(operatorId: string): void {
    const ownStreams = [...this.streams].filter(({ operator }) => operator.id === operatorId);
    for (const oldest of ownStreams.slice(0, Math.max(0, ownStreams.length - MAX_OF_ONE + 1))) {
      oldest.end('REPLACED');
      this.streams.delete(oldest);
    }
  }

  private async runRound(): Promise<number> {
    if (this.streams.size === 0) return ROUND_INTERVAL_MS;
    try {
      await this.sendChanges();
      return ROUND_INTERVAL_MS;
    } catch (error) {
      // Each stream keeps its own position, so no change is lost or sent twice.
      this.logger.warn(`changes wait to be told: ${error instanceof Error ? error.message : 'unknown'}`);
      return RETRY_AFTER_FAILURE_MS;
    }
  }

  private async sendChanges(): Promise<void> {
    const byOrganisation = new Map<string, ChangeStream[]>();
    for (const stream of this.streams) {
      const { organisationId } = stream.operator;
      byOrganisation.set(organisationId, [...(byOrganisation.get(organisationId) ?? []), stream]);
    }
    const sizes = await this.tail.readSizes([...byOrganisation.keys()]);
    const isHeartbeatDue = performance.now() - this.heartbeatSentAt >= HEARTBEAT_INTERVAL_MS;
    for (const [organisationId, streams] of byOrganisation) {
      await this.sendChangesOf(organisationId, streams, sizes.get(organisationId) ?? 0);
      await this.sendBadges(streams);
      if (isHeartbeatDue) await this.sendHeartbeats(streams);
    }
    if (isHeartbeatDue) this.heartbeatSentAt = performance.now();
  }

  /** Reads the log once per position; usually all streams are at the same position. */
  private async sendChangesOf(
    organisationId: string,
    streams: readonly ChangeStream[],
    size: number,
  ): Promise<void> {
    const byPlace = new Map<number, ChangeStream[]>();
    for (const stream of streams) {
      if (stream.position >= size) continue;
      byPlace.set(stream.position, [...(byPlace.get(stream.position) ?? []), stream]);
    }
    for (const [place, group] of byPlace) {
      const kinds = subjectsOf(group.map(({ listening }) => listening));
      const { steps, upTo } = await this.tail.readEntries(organisationId, place, size, kinds);
      const assignments = await this.readAssignments(organisationId, steps);
      for (const stream of group) await this.sendSteps(stream, steps, assignments, upTo);
    }
  }

  private async readAssignments(
    organisationId: string,
    steps: readonly IndexedAuditEntry[],
  ): Promise<ReadonlyMap<string, CaseAssignment>> {
    const ids = steps.filter(({ subjectType }) => subjectType === 'review').map(({ subjectId }) => subjectId);
    return this.reviews.readAssignments(organisationId, [...new Set(ids)]);
  }

  private async sendSteps(
    stream: ChangeStream,
    steps: readonly IndexedAuditEntry[],
    assignments: ReadonlyMap<string, CaseAssignment>,
    upTo: number,
  ): Promise<void> {
    if (steps.length > 0) {
      const operator = await this.authenticateOrEnd(stream);
      if (!operator) return;
      for (const step of steps) {
        if (affectsBadges(step)) stream.badges.stale = true;
        const message = streamMessageOf(step, operator, stream.listening, assignments.get(step.subjectId));
        if (message) stream.send('change', message, step.index + 1);
      }
    }
    stream.position = upTo;
  }

  private async sendBadges(streams: readonly ChangeStream[]): Promise<void> {
    const now = performance.now();
    for (const stream of streams) {
      if (!stream.listening.topics.has('badges')) continue;
      const { stale, sentAt, text } = stream.badges;
      const age = now - sentAt;
      if (age < MIN_BADGES_INTERVAL_MS || (!stale && age < MAX_BADGES_INTERVAL_MS)) continue;
      const operator = await this.authenticateOrEnd(stream);
      if (!operator) continue;
      const countedBadges = { ...(await this.counts.countWaiting(operator)), most: MAX_COUNT };
      const fresh = JSON.stringify(countedBadges);
      if (fresh !== text) stream.send('badges', countedBadges);
      stream.badges = { stale: false, sentAt: now, text: fresh };
    }
  }

  private async sendHeartbeats(streams: readonly ChangeStream[]): Promise<void> {
    for (const stream of streams) if (await this.authenticateOrEnd(stream)) stream.sendHeartbeat();
  }

  /**
   * Returns the operator with current permissions. If the operator has logged out or the token has expired, ends the
   * stream and returns null.
   */
  private async authenticateOrEnd(stream: ChangeStream): Promise<OperatorPrincipal | null> {
    const verdict = await this.gate.authenticate(stream.token);
    if (verdict && verdict !== 'EXPIRED') return verdict;
    stream.end('UNAUTHORISED');
    this.streams.delete(stream);
    return null;
  }
}
