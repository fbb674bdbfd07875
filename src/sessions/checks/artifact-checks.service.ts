import { Injectable } from '@nestjs/common';
import { DomainError, publicId } from '../../kernel/index.js';
import { ArtifactsService, type KnownArtifact } from '../../uploads/index.js';
import { CheckProviders, type ProviderImage } from './check-providers.js';
import {
  judgeCodes,
  judgeDuplicates,
  judgeQuality,
  type Picture,
  type SentFile,
} from '../domain/checks/artifact-findings.js';
import { failed, missing, taxIdIn, type Finding } from '../domain/checks/built-in-checks.js';
import type { Answers, CheckName } from '../domain/flow/flow.js';
import { providerChecks, type ProviderCheck } from '../domain/checks/provider-verdict.js';
import type { SessionRow } from '../domain/records.js';

// Base64 makes four bytes of three; a handful of pictures of at most 2,000 px a side stays far below.
const MAX_BYTES = 16 * 1_024 * 1_024;

/** Checks of what was uploaded, by this service and by the providers that are configured. */
@Injectable()
export class ArtifactChecks {
  constructor(
    private readonly artifacts: ArtifactsService,
    private readonly providers: CheckProviders,
  ) {}

  async run(
    session: SessionRow,
    answers: Answers,
    uploads: readonly KnownArtifact[],
    customerId: string,
    wanted: readonly CheckName[],
  ): Promise<ReadonlyMap<CheckName, Finding>> {
    const documents = uploads.filter(({ kind }) => kind === 'DOCUMENT');
    const pictures = documents.flatMap(pictureOf);
    const taxId = taxIdIn(answers)?.canonical() ?? null;
    const others = await this.artifacts.sameContentOfOthers(session.organisationId, uploads, customerId);
    // The record that the link was made for is no other person.
    const strangers = others.filter((one) => one.customerId !== session.customerId);
    const findings = new Map<CheckName, Finding>([
      ['DOCUMENT_QUALITY', judgeQuality(pictures)],
      ['DOCUMENT_CODE', judgeCodes(pictures, taxId)],
      ['DUPLICATE_ARTIFACT', judgeDuplicates(uploads.flatMap(sentFile), strangers.length)],
    ]);
    const asked = providerChecks.filter((check) => wanted.includes(check));
    const verdicts = await Promise.all(
      asked.map((check) => this.ask(check, session, answers, uploads, customerId)),
    );
    asked.forEach((check, i) => {
      findings.set(check, verdicts[i] ?? failed('CHECKS_FAILED'));
    });
    return findings;
  }

  private async ask(
    check: ProviderCheck,
    session: SessionRow,
    answers: Answers,
    uploads: readonly KnownArtifact[],
    customerId: string,
  ): Promise<Finding> {
    if (!this.providers.isConfigured(check)) return missing('PROVIDER_ABSENT', 'none');
    const files = await this.filesFor(check, session.organisationId, uploads, customerId);
    if (typeof files === 'string') return missing(files);
    if (files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > 2 * MAX_BYTES) {
      return failed('FILES_TOO_LARGE');
    }
    const images = await Promise.all(files.map((file) => this.imageOf(file)));
    if (images.some((image) => image === null)) return missing('FILE_GONE');
    const text = (key: string): string | null => {
      const answer = answers[key];
      return typeof answer === 'string' ? answer : null;
    };
    return this.providers.ask(check, {
      session: publicId('kys', session.id),
      person: {
        name: text('name'),
        document: taxIdIn(answers)?.canonical() ?? null,
        birthDate: text('birthDate'),
      },
      images: images.filter((image) => image !== null),
    });
  }

  /** The files that a check is about, or why there are none. A face is compared with a document of the dossier too. */
  private async filesFor(
    check: ProviderCheck,
    organisationId: string,
    uploads: readonly KnownArtifact[],
    customerId: string,
  ): Promise<readonly KnownArtifact[] | 'NO_DOCUMENT' | 'NO_SELFIE'> {
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
        const earlier = (await this.artifacts.ofCustomer(organisationId, customerId)).filter(
          ({ kind, state }) => kind === 'DOCUMENT' && state === 'STORED',
        );
        return earlier.length > 0 ? [...earlier.slice(-2), ...selfies] : 'NO_DOCUMENT';
      }
      default:
        return check satisfies never;
    }
  }

  /** The re-encoded picture, without what a camera writes beside it; null when the file is gone. */
  private async imageOf(file: KnownArtifact): Promise<ProviderImage | null> {
    const chunks: Buffer[] = [];
    try {
      const content = await this.artifacts.content(file, file.hasView ? 'view' : 'original');
      for await (const chunk of content) chunks.push(chunk);
    } catch (error) {
      // Erased or lost since: the check says that its input is missing.
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

function pictureOf({ mimeType, width, height, facts }: KnownArtifact): Picture[] {
  return facts ? [{ mimeType, width, height, quality: facts.quality, barcodes: facts.barcodes }] : [];
}

const sentFile = ({ kind, facts }: KnownArtifact): SentFile[] =>
  facts ? [{ kind, sha256: facts.sha256 }] : [];
