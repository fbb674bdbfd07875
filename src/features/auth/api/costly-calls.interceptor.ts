import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { defer, finalize, mergeMap, type Observable } from 'rxjs';
import { COSTLY, exchangeOf } from '../../../platform/http/index.js';
import { DomainError } from '../../../platform/kernel/index.js';
import { longWork } from '../../../platform/kernel/work/long-work.js';
import { Quotas } from '../../../platform/quotas/index.js';

const RETRY_AFTER_SECONDS = 5;
const MAX_WORK_MS = 2_000;
// Maximum wait of a call for a slot; after this time it gets OVERLOADED.
const PATIENCE_MS = 8_000;
const MAX_WAITING_CALLS = 20;

/** The slots of an organisation: the number in use, and the queue of waiting calls. */
interface Slots {
  taken: number;
  readonly waiting: (() => void)[];
}

const overloadedError = (): DomainError =>
  new DomainError('OVERLOADED', { retryAfterSeconds: RETRY_AFTER_SECONDS });

/**
 * Limits the concurrent costly calls of an organisation to its quota, so that they do not delay others; further calls
 * wait. While the CPU is busy, a slot stays in use for the organisation's rest time after the call.
 */
@Injectable()
export class CostlyCallsInterceptor implements NestInterceptor {
  private readonly slotsByOrganisation = new Map<string, Slots>();

  constructor(
    private readonly reflector: Reflector,
    private readonly quotas: Quotas,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (this.reflector.get<true | undefined>(COSTLY, execution.getHandler()) === undefined) {
      return next.handle();
    }
    const { operator, client } = exchangeOf(execution.switchToHttp().getRequest<Request>());
    const organisationId = operator?.organisationId ?? client?.organisationId;
    if (organisationId === undefined) throw new Error('a costly route is open to strangers');
    return defer(() => this.enter(organisationId)).pipe(
      mergeMap(() => this.runAndLeave(organisationId, next)),
    );
  }

  private runAndLeave(organisationId: string, next: CallHandler): Observable<unknown> {
    const startedAt = performance.now();
    const handled: Observable<unknown> = next.handle();
    // `finalize` runs when the work ends, not when the connection closes: disconnecting does not free a slot early.
    return handled.pipe(
      finalize(() => {
        // A client may read the response slowly; the work itself takes at most MAX_WORK_MS.
        const worked = Math.min(performance.now() - startedAt, MAX_WORK_MS);
        const restMs = longWork.charge(organisationId, worked);
        if (restMs === 0) this.leave(organisationId);
        else {
          setTimeout(() => {
            this.leave(organisationId);
          }, restMs).unref();
        }
      }),
    );
  }

  /** Waits for a free slot. Rejects with OVERLOADED after PATIENCE_MS, or immediately if the queue is full. */
  private async enter(organisationId: string): Promise<void> {
    let slots = this.slotsByOrganisation.get(organisationId);
    if (!slots) this.slotsByOrganisation.set(organisationId, (slots = { taken: 0, waiting: [] }));
    if (slots.taken < this.quotas.cachedLimits(organisationId).costlyCallsAtOnce) {
      slots.taken += 1;
      return;
    }
    if (slots.waiting.length >= MAX_WAITING_CALLS) throw overloadedError();
    const { waiting } = slots;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(enter), 1);
        reject(overloadedError());
      }, PATIENCE_MS);
      const enter = (): void => {
        clearTimeout(timer);
        resolve();
      };
      waiting.push(enter);
    });
  }

  private leave(organisationId: string): void {
    const slots = this.slotsByOrganisation.get(organisationId);
    if (!slots) return;
    const next = slots.waiting.shift();
    // The next call takes over the slot, so `taken` does not change.
    if (next) next();
    else slots.taken -= 1;
    if (slots.taken === 0) this.slotsByOrganisation.delete(organisationId);
  }
}
