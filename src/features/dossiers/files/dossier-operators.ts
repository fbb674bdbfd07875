import { Injectable } from '@nestjs/common';
import { OperatorLookup } from '../../../platform/http/index.js';
import { publicId, uuidOf } from '../../../platform/kernel/index.js';
import { CommunicationContents } from '../coaf/communication-contents.js';
import type { DossierCase, DossierHead, DossierHit, DossierInstitution } from '../domain/dossier.js';

/** Finds the institution of a dossier, and the operators whose ids appear in it. */
@Injectable()
export class DossierOperators {
  constructor(
    private readonly operators: OperatorLookup,
    private readonly communicationContents: CommunicationContents,
  ) {}

  async findOperators(
    organisationId: string,
    generatedBy: string,
    cases: readonly DossierCase[],
    hits: readonly DossierHit[],
  ): Promise<Pick<DossierHead, 'people'>> {
    const actors = [
      generatedBy,
      ...cases.flatMap(({ openedBy, proposedBy, closedBy, notes, steps }) => [
        ...[openedBy, proposedBy, closedBy],
        ...notes.map(({ author }) => author),
        ...steps.map(({ actor }) => actor),
      ]),
      ...hits.map(({ decidedBy }) => decidedBy),
    ];
    const ids = actors.flatMap((one) => (one === null ? [] : (uuidOf('opr', one) ?? [])));
    const operators = await this.operators.listOperators(organisationId, ids);
    return {
      people: [...operators].map(([id, { name, roles }]) => ({ id: publicId('opr', id), name, roles })),
    };
  }

  async findInstitution(organisationId: string): Promise<DossierInstitution | null> {
    const institution = await this.communicationContents.findInstitution(organisationId);
    const name = institution?.name ?? null;
    return name === null ? null : { name, taxId: institution?.taxId ?? null };
  }
}
