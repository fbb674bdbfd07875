import { Injectable } from '@nestjs/common';
import { ExportScope, LegalHold, type Subject } from '../audit/index.js';
import { CustomerFilesService } from '../customers/index.js';
import { DossierScopes } from './files/dossier-scopes.js';

/** Provides the audit module with the subjects of a customer or a case, and the subjects under a legal hold. */
@Injectable()
export class TrailScopesService {
  constructor(
    private readonly customers: CustomerFilesService,
    private readonly scopes: DossierScopes,
  ) {}

  @ExportScope('customer')
  ofCustomer(organisationId: string, id: string): AsyncIterable<readonly Subject[]> {
    return this.scopes.subjectsOfCustomer(organisationId, id);
  }

  @ExportScope('review')
  ofReview(organisationId: string, id: string): AsyncIterable<readonly Subject[]> {
    return this.scopes.subjectsOfReview(organisationId, id);
  }

  @LegalHold('customers')
  async *iterateHeldSubjects(organisationId: string): AsyncGenerator<readonly Subject[]> {
    for (const id of await this.customers.findOnLegalHold(organisationId)) {
      yield* this.scopes.subjectsOfCustomer(organisationId, id);
    }
  }
}
