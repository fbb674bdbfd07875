import { Injectable } from '@nestjs/common';
import { FindingRepository, type Finding } from './store/finding.repository.js';

export type { Finding } from './store/finding.repository.js';

/** The gaps that the background check of all trails has found. */
@Injectable()
export class Findings {
  constructor(private readonly findings: FindingRepository) {}

  /** Those that are open, the newest first, those before `before`. */
  page(organisationId: string, before: string | null, limit: number): Promise<Finding[]> {
    return this.findings.page(organisationId, before, limit);
  }
}
