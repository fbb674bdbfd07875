import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ReviewSubjects } from '../reviews/index.js';
import { DecisionRepository } from './store/decision.repository.js';

/** Tells Reviews how the transactions of its cases are read. */
@Injectable()
export class ReviewedTransactions implements OnModuleInit {
  constructor(
    private readonly subjects: ReviewSubjects,
    private readonly decisions: DecisionRepository,
  ) {}

  onModuleInit(): void {
    this.subjects.registerTransactions((organisationId, refs) =>
      this.decisions.reviewed(organisationId, refs),
    );
  }
}
