import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ExportScopes } from '../audit/index.js';
import { Dossiers } from './dossiers.service.js';

/** Tells Audit which trails an export about a customer or a case is made of. */
@Injectable()
export class TrailScopes implements OnModuleInit {
  constructor(
    private readonly scopes: ExportScopes,
    private readonly dossiers: Dossiers,
  ) {}

  onModuleInit(): void {
    this.scopes.register('customer', (organisationId, id) =>
      this.dossiers.subjectsOfCustomer(organisationId, id),
    );
    this.scopes.register('review', (organisationId, id) =>
      this.dossiers.subjectsOfReview(organisationId, id),
    );
  }
}
