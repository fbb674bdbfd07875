import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ExportScopes, Holds, type Subject } from '../audit/index.js';
import { CustomerFiles } from '../customers/index.js';
import { Dossiers } from './dossiers.service.js';

/** Tells Audit which trails an export about a customer or a case is made of, and which of them a legal hold keeps. */
@Injectable()
export class TrailScopes implements OnModuleInit {
  constructor(
    private readonly scopes: ExportScopes,
    private readonly holds: Holds,
    private readonly customers: CustomerFiles,
    private readonly dossiers: Dossiers,
  ) {}

  onModuleInit(): void {
    this.scopes.register('customer', (organisationId, id) =>
      this.dossiers.subjectsOfCustomer(organisationId, id),
    );
    this.scopes.register('review', (organisationId, id) =>
      this.dossiers.subjectsOfReview(organisationId, id),
    );
    this.holds.register((organisationId) => this.held(organisationId));
  }

  private async *held(organisationId: string): AsyncGenerator<readonly Subject[]> {
    for (const id of await this.customers.onHold(organisationId)) {
      yield* this.dossiers.subjectsOfCustomer(organisationId, id);
    }
  }
}
