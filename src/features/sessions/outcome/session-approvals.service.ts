import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../platform/database/index.js';
import type { SessionRow } from '../domain/records.js';
import { SessionPeopleService } from '../people/session-people.service.js';
import { VerificationRepository } from '../store/verification.repository.js';
import { SessionDeclarationsService } from './session-declarations.service.js';

/** Applies the effects of a person's approval of a session. The checks' own approval has the same effects. */
@Injectable()
export class SessionApprovalsService {
  constructor(
    private readonly declarations: SessionDeclarationsService,
    private readonly people: SessionPeopleService,
    private readonly verifications: VerificationRepository,
  ) {}

  /** Reads the data before the database transaction. Returns a function that writes within it. */
  async prepareApproval(session: SessionRow, by: string): Promise<(tx: Tx, at: Date) => Promise<void>> {
    const declaration = await this.declarations.prepareStored(session);
    const people = await this.people.findNamedPeople(session);
    return async (tx, at) => {
      if (declaration) await this.declarations.recordDeclaration(tx, session, declaration, by);
      await this.people.endOtherRelations(tx, session, people, at);
      const { customerId, organisationId, id: sessionId } = session;
      const verified = { customerId, organisationId, sessionId };
      await this.verifications.recordVerification(tx, {
        ...verified,
        verifiedAt: at,
        documentExpiresOn: null,
      });
    };
  }
}
