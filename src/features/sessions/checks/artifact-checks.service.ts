import { Injectable } from '@nestjs/common';
import { DomainError, publicId } from '../../../platform/kernel/index.js';
import {
  ProviderGateway,
  providerChecks,
  type ProviderCheck,
  type ProviderImage,
  type DocumentReading,
} from '../../providers/index.js';
import { ArtifactsService, type KnownArtifact } from '../../uploads/index.js';
import {
  checkCodes,
  checkDuplicates,
  checkQuality,
  type SentFile,
} from '../domain/checks/artifact-findings.js';
import { errorFinding, missingInputFinding, type CheckFinding } from '../domain/checks/built-in-checks.js';
import { checkDocumentData } from '../domain/checks/document-data.js';
import { findingFromProvider } from '../domain/checks/provider-verdict.js';
import type { CheckName } from '../domain/flow/flow.js';
import type { DeclaredSubject } from '../domain/flow/roles.js';
import { acceptedFiles } from '../domain/flow/tries.js';
import type { SessionRow } from '../domain/records.js';

// Maximum bytes of the pictures in one request. A few pictures of at most 2,000 px a side stay far below it.
const MAX_BYTES = 16 * 1_024 * 1_024;

interface CheckInput {
  readonly session: SessionRow;
  readonly said: DeclaredSubject;
  readonly uploads: readonly KnownArtifact[];
  readonly customerId: string;
}

/** The findings of the checks of files, and the data that a provider read from the document. */
export interface ArtifactFindings {
  readonly findings: ReadonlyMap<CheckName, CheckFinding>;
  readonly read: DocumentReading | null;
}

interface ProviderFinding {
  readonly finding: CheckFinding;
  readonly read: DocumentReading | null;
}

/** Checks uploads, with built-in checks and with the organisation's providers. */
@Injectable()
export class ArtifactChecksService {
  constructor(
    private readonly artifacts: ArtifactsService,
    private readonly providers: ProviderGateway,
  ) {}

  async run(
    session: SessionRow,
    said: DeclaredSubject,
    sent: readonly KnownArtifact[],
    customerId: string,
    wanted: readonly CheckName[],
    today: string,
  ): Promise<ArtifactFindings> {
    const uploads = acceptedFiles(sent);
    const documents = uploads.filter(({ kind }) => kind === 'DOCUMENT');
    const taxId = said.taxId?.canonical() ?? null;
    const sameContents = await this.artifacts.findSameContent(session.organisationId, sent, customerId);
    // The customer for whom the link was made does not count as another person.
    const strangers = sameContents.filter((one) => one.customerId !== session.customerId);
    const checks = providerChecks.filter((check) => wanted.includes(check));
    const answers = await Promise.all(
      checks.map((check) => this.askProvider(check, { session, said, uploads, customerId })),
    );
    const documentReading = answers.find((answer) => answer.read !== null)?.read ?? null;
    const isMagic = this.providers.answerForMagicCpf(taxId) !== null;
    const findings = new Map<CheckName, CheckFinding>([
      ['DOCUMENT_QUALITY', checkQuality(documents)],
      ['DOCUMENT_CODE', checkCodes(documents, taxId, documentReading?.code?.verified === true)],
      ['DOCUMENT_DATA', checkDocumentData(said, documentReading, today)],
      ['DUPLICATE_ARTIFACT', checkDuplicates(sent.flatMap(sentFile), strangers.length, isMagic)],
    ]);
    checks.forEach((check, i) => {
      findings.set(check, answers[i]?.finding ?? errorFinding('CHECKS_FAILED'));
    });
    return { findings, read: documentReading };
  }

  private async askProvider(check: ProviderCheck, input: CheckInput): Promise<ProviderFinding> {
    const { session, said } = input;
    const { organisationId, id: sessionId, round, subjectIndex } = session;
    const providerKey = session.flow.providers?.[check];
    const only = (finding: CheckFinding): ProviderFinding => ({ finding, read: null });
    if (!(await this.providers.hasProvider(organisationId, check, providerKey))) {
      const outcome = this.providers.answerForMagicCpf(said.taxId?.canonical() ?? null);
      return only(
        outcome ? findingFromProvider(check, outcome) : missingInputFinding('PROVIDER_ABSENT', 'none'),
      );
    }
    const files = await this.filesFor(check, input);
    if (typeof files === 'string') return only(missingInputFinding(files));
    if (files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > 2 * MAX_BYTES) {
      return only(errorFinding('FILES_TOO_LARGE'));
    }
    const images = await Promise.all(files.map((file) => this.imageOf(file)));
    if (images.some((image) => image === null)) return only(missingInputFinding('FILE_GONE'));
    const subject = { organisationId, index: subjectIndex };
    const outcome = await this.providers.call(
      { organisationId, sessionId, round, subject },
      check,
      providerKey,
      {
        person: {
          ...{ name: said.name, document: said.taxId?.canonical() ?? null, birthDate: said.birthDate },
          ...(said.isCompany && { kind: 'COMPANY' as const }),
          ...(check === 'ADDRESS' && {
            postalCode: said.texts.POSTAL_CODE ?? null,
            address: said.texts.ADDRESS ?? null,
          }),
        },
        images: images.filter((image) => image !== null),
      },
    );
    return { finding: findingFromProvider(check, outcome), read: outcome.data };
  }

  /** Returns the files for a check, or a code for why there are none. A selfie may be compared with the dossier. */
  private async filesFor(
    check: ProviderCheck,
    { session, said, uploads, customerId }: CheckInput,
  ): Promise<readonly KnownArtifact[] | 'NO_DOCUMENT' | 'NO_SELFIE' | 'TAX_ID_NOT_GIVEN' | 'NO_ADDRESS'> {
    const documents = uploads.filter(({ kind }) => kind === 'DOCUMENT');
    const selfies = uploads.filter(({ kind }) => kind === 'SELFIE').slice(-1);
    switch (check) {
      case 'DOCUMENT':
        return documents.length > 0 ? documents : 'NO_DOCUMENT';
      case 'LIVENESS':
        return selfies.length > 0 ? selfies : 'NO_SELFIE';
      case 'FACE_MATCH': {
        if (selfies.length === 0) return 'NO_SELFIE';
        if (documents.length > 0) return [...documents, ...selfies];
        const earlier = (await this.artifacts.listByCustomer(session.organisationId, customerId)).filter(
          ({ kind, state }) => kind === 'DOCUMENT' && state === 'STORED',
        );
        return earlier.length > 0 ? [...earlier.slice(-2), ...selfies] : 'NO_DOCUMENT';
      }
      case 'RECEITA':
        return said.taxId ? [] : 'TAX_ID_NOT_GIVEN';
      case 'ADDRESS': {
        const proofs = uploads.filter(({ kind }) => kind === 'PROOF_OF_ADDRESS');
        const isSaid = said.texts.POSTAL_CODE !== undefined || said.texts.ADDRESS !== undefined;
        return proofs.length > 0 || isSaid ? proofs : 'NO_ADDRESS';
      }
      default:
        return check satisfies never;
    }
  }

  /** Returns the re-encoded picture, without camera metadata; null if the file was erased or lost. */
  private async imageOf(file: KnownArtifact): Promise<ProviderImage | null> {
    const chunks: Buffer[] = [];
    try {
      const content = await this.artifacts.openContent(file, file.hasView ? 'view' : 'original');
      for await (const chunk of content) chunks.push(chunk);
    } catch (error) {
      // The file was erased or lost meanwhile: the check reports a missing input.
      if (error instanceof DomainError && error.code === 'ARTIFACT_GONE') return null;
      throw error;
    }
    const { id, kind, side, documentType, mimeType } = file;
    return {
      artifactId: publicId('art', id),
      kind,
      side,
      documentType,
      mimeType: file.hasView ? 'image/jpeg' : mimeType,
      content: Buffer.concat(chunks).toString('base64'),
    };
  }
}

const sentFile = ({ kind, facts }: KnownArtifact): SentFile[] =>
  facts ? [{ kind, sha256: facts.sha256 }] : [];
