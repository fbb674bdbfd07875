import { Injectable } from '@nestjs/common';
import { missing, type Finding } from './domain/built-in-checks.js';
import type { Answers, CheckName } from './domain/flow.js';
import type { KnownArtifact } from '../uploads/index.js';
import type { SessionRow } from './domain/records.js';

const ABOUT_ARTIFACTS: readonly CheckName[] = [
  'DOCUMENT_QUALITY',
  'DOCUMENT_CODE',
  'DUPLICATE_ARTIFACT',
  'DOCUMENT',
  'FACE_MATCH',
  'LIVENESS',
];

/** Checks of what was uploaded, by this service and by the providers that are configured. */
@Injectable()
export class ArtifactChecks {
  run(
    _session: SessionRow,
    _answers: Answers,
    uploads: readonly KnownArtifact[],
    _customerId: string,
    wanted: readonly CheckName[],
  ): Promise<ReadonlyMap<CheckName, Finding>> {
    const reason = uploads.length === 0 ? 'NO_FILE' : 'PROVIDER_ABSENT';
    return Promise.resolve(
      new Map(wanted.filter((name) => ABOUT_ARTIFACTS.includes(name)).map((name) => [name, missing(reason)])),
    );
  }
}
