import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Settings } from '../../../platform/config/index.js';
import { RateLimiter, setRateHeaders } from '../../../platform/http/index.js';
import { DomainError } from '../../../platform/kernel/index.js';

export type SessionCall = 'any' | 'complete' | 'upload';

/** Limits the calls of one session, in addition to the limits per IP address, because anybody may have a link. */
@Injectable()
export class SessionLimitsService {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly settings: Settings,
  ) {}

  /** Counts a call against the session's limits, in total and by kind. Throws RATE_LIMITED. `id` is the internal id. */
  async spend(response: Response, id: string, kind: SessionCall): Promise<void> {
    await this.takeToken(response, id, 'any');
    if (kind !== 'any') await this.takeToken(response, id, kind);
  }

  private async takeToken(response: Response, id: string, kind: SessionCall): Promise<void> {
    const perMinute = this.perMinute(kind);
    const limit = { perSecond: perMinute / 60, burst: perMinute };
    const verdict = await this.limiter.take(`session:${kind}:${id}`, limit);
    setRateHeaders(response, kind === 'any' ? 'session' : `session-${kind}`, limit, verdict);
    if (!verdict.allowed) {
      throw new DomainError('RATE_LIMITED', { retryAfterSeconds: verdict.retryAfterSeconds });
    }
  }

  private perMinute(kind: SessionCall): number {
    switch (kind) {
      case 'any':
        return this.settings.rateLimitSessionPerMinute;
      case 'complete':
        return this.settings.rateLimitCompletePerMinute;
      case 'upload':
        return this.settings.rateLimitUploadPerMinute;
      default:
        return kind satisfies never;
    }
  }
}
