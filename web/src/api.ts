/** The three public session routes, as this page uses them; docs/sessions.md is their contract. */
import type {
  AcceptedDocumentView,
  FieldView,
  OptionView,
  PublicSessionView,
  QuestionView,
  StepView,
  UploadConstraintsView,
  UploadQualityView,
} from '../../src/features/sessions/api/public-session.view.dto.js';
import type { FieldType, StepType } from '../../src/features/sessions/domain/flow/flow.js';
import type { SessionStatus } from '../../src/features/sessions/domain/session.js';
import type { PictureFlaw } from '../../src/platform/kernel/reference/picture-flaws.js';
import type { StepAnswer, AnswerCondition } from './conditions.js';

// The service's own types describe its answers; only types come from there.
export type { FieldType, PictureFlaw, SessionStatus, StepType };
export type Option = OptionView;
export type Field = FieldView;
export type Question = QuestionView;
export type AcceptedDocument = AcceptedDocumentView;
export type Side = AcceptedDocument['sides'][number];
export type UploadLimits = UploadConstraintsView;

export interface Step extends StepView {
  readonly showIf?: AnswerCondition | null;
}

export interface SessionView extends PublicSessionView {
  readonly steps: readonly Step[];
}

export interface FaultyField {
  readonly path: string;
  readonly code: string;
}

export type ProblemKind =
  'OFFLINE' | 'NOT_FOUND' | 'EXPIRED' | 'LIMITED' | 'CONFLICT' | 'REFUSED' | 'UNAVAILABLE';

/** Why a call had no success, in the terms that the page distinguishes. */
export class Problem extends Error {
  constructor(
    readonly kind: ProblemKind,
    readonly code: string = kind,
    readonly details: readonly FaultyField[] = [],
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(code);
  }
}

export interface Upload {
  readonly stepId: string;
  readonly documentType: string | null;
  readonly side: Side | null;
}

/** A better picture that the service asks for. */
export interface Wanted {
  readonly flaw: PictureFlaw;
  readonly triesLeft: number;
}

// Nothing arrives for this long: the connection is gone, whatever the browser thinks of it.
const STALLED_MS = 30_000;
const ANSWER_MS = 30_000;
// Saving a step is a convenience: the answers are still here, and go along with the last call.
const SAVE_MS = 8_000;

const pathOf = (sessionId: string, rest: string): string =>
  `/kyc-sessions/${encodeURIComponent(sessionId)}/${rest}`;

/** The steps and texts of a session, in a language. */
export async function readSession(sessionId: string, language: string): Promise<SessionView> {
  const path = `${pathOf(sessionId, 'public')}?lang=${encodeURIComponent(language)}`;
  return (await call(path, { method: 'GET' })) as SessionView;
}

/** Saves the answers of one step, so that the person can go on later or elsewhere; tells how the session is then. */
export async function saveStep(
  sessionId: string,
  stepId: string,
  userData: Readonly<Record<string, StepAnswer>>,
  language: string,
): Promise<SessionView> {
  const path = `${pathOf(sessionId, `steps/${encodeURIComponent(stepId)}`)}?lang=${encodeURIComponent(language)}`;
  return (await call(path, { method: 'PUT', ...asJson({ userData }) }, SAVE_MS)) as SessionView;
}

/** Has the one-time code of a step sent. */
export async function sendCode(sessionId: string, stepId: string, language: string): Promise<void> {
  const path = `${pathOf(sessionId, `steps/${encodeURIComponent(stepId)}/code`)}?lang=${encodeURIComponent(language)}`;
  await call(path, { method: 'POST' });
}

/** Hands in the answers. Sending the same ones again is safe. */
export async function completeSession(
  sessionId: string,
  userData: Readonly<Record<string, StepAnswer>>,
): Promise<void> {
  await call(pathOf(sessionId, 'complete'), {
    method: 'POST',
    ...asJson({ userData }),
  });
}

const asJson = (body: object): RequestInit => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

async function call(path: string, init: RequestInit, timeoutMs = ANSWER_MS): Promise<unknown> {
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(path, {
      ...init,
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(timeoutMs),
    });
    body = parsed(await response.text());
  } catch {
    // fetch says no more than that there was no answer.
    throw new Problem('OFFLINE');
  }
  if (!response.ok) throw problemOf(response.status, body, response.headers.get('retry-after'));
  return unwrapped(body);
}

/**
 * Sends one file and tells how far it is, from 0 to 1. Sending the same file again is safe. Returns what the
 * service asks for as long as it wants a better picture.
 */
export async function uploadFile(
  sessionId: string,
  file: Blob,
  { stepId, documentType, side }: Upload,
  progress: (share: number) => void,
  signal: AbortSignal,
): Promise<Wanted | null> {
  const form = new FormData();
  // The purpose of the file comes before the file, so that a refusal need not wait for all of it.
  form.append('stepId', stepId);
  if (documentType !== null) form.append('documentType', documentType);
  if (side !== null) form.append('side', side);
  // The name that the file has on the phone says nothing to anybody, and may say too much.
  form.append('file', file, `${(side ?? 'file').toLowerCase()}.${extensionOf(file.type)}`);

  // fetch does not tell how much has been sent.
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    let timer = 0;
    const alive = (): void => {
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        request.abort();
      }, STALLED_MS);
    };
    const fail = (problem: Problem): void => {
      clearTimeout(timer);
      reject(problem);
    };
    request.upload.onprogress = (event) => {
      alive();
      if (event.lengthComputable) progress(event.loaded / event.total);
    };
    request.onload = () => {
      clearTimeout(timer);
      if (request.status >= 200 && request.status < 300) resolve(wantedIn(parsed(request.responseText)));
      else {
        const retryAfter = request.getResponseHeader('retry-after');
        fail(problemOf(request.status, parsed(request.responseText), retryAfter));
      }
    };
    request.onerror = () => {
      fail(new Problem('OFFLINE'));
    };
    request.onabort = () => {
      fail(new Problem('OFFLINE', signal.aborted ? 'STOPPED' : 'OFFLINE'));
    };
    signal.addEventListener('abort', () => {
      request.abort();
    });
    request.open('POST', pathOf(sessionId, 'upload'));
    alive();
    request.send(form);
  });
}

function wantedIn(body: unknown): Wanted | null {
  const { quality } = unwrapped(body) as { readonly quality?: UploadQualityView };
  const [flaw] = quality?.reasons ?? [];
  return quality && flaw && quality.triesLeft > 0 ? { flaw, triesLeft: quality.triesLeft } : null;
}

const extensionOf = (type: string): string => (type === 'image/jpeg' ? 'jpg' : (type.split('/')[1] ?? 'bin'));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // a proxy's page in place of an answer; the status tells enough
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Answers come bare or in the service's envelope. */
const unwrapped = (body: unknown): unknown =>
  isRecord(body) && 'data' in body && 'error' in body ? body['data'] : body;

function problemOf(status: number, body: unknown, retryAfter: string | null): Problem {
  const error = isRecord(body) && isRecord(body['error']) ? body['error'] : {};
  const code = typeof error['code'] === 'string' ? error['code'] : String(status);
  const details = Array.isArray(error['details']) ? error['details'].filter(isFaultyField) : [];
  const seconds = retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null;
  return new Problem(kindOf(status), code, details, seconds);
}

const isFaultyField = (value: unknown): value is FaultyField =>
  isRecord(value) && typeof value['path'] === 'string' && typeof value['code'] === 'string';

function kindOf(status: number): ProblemKind {
  if (status === 404) return 'NOT_FOUND';
  if (status === 409) return 'CONFLICT';
  if (status === 410) return 'EXPIRED';
  if (status === 429) return 'LIMITED';
  return status >= 500 || status === 408 ? 'UNAVAILABLE' : 'REFUSED';
}
