import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CustomerTies } from '../customers/index.js';
import { ArtifactsService } from './artifacts.service.js';

/** Tells Customers how files go to another record of the same person, and under whose keys they are sealed. */
@Injectable()
export class CustomerArtifacts implements OnModuleInit {
  constructor(
    private readonly ties: CustomerTies,
    private readonly artifacts: ArtifactsService,
  ) {}

  onModuleInit(): void {
    this.ties.register({
      move: async (tx, acting, { from, into }) => {
        await this.artifacts.moveAll(tx, acting, { from, to: into });
      },
      subjects: (organisationId, customerId) => this.artifacts.subjectsOf(organisationId, customerId),
    });
  }
}
