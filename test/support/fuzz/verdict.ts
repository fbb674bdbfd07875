import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { Answer } from '../answers.js';
import type { ApiDocument } from '../openapi.js';
import { closed, schemaJudge } from '../schema-judge.js';
import type { Outgoing, Target } from './requests.js';
import { CANARY } from './values.js';

type Judged = Omit<Target, 'samples'>;

// An escaped error shows one of these: a stack, a path, a statement, a library.
const INSIDES =
  /\bat .*\.[jt]s|QueryFailed|\b(?:SELECT|INSERT|UPDATE) [\w"*]|node_modules|\/src\/|ECONNREFUSED|ENOENT/;
const STACK = /\n\s+at [^\n]+:\d+:\d+/;
/** The answers before any route is known: the address is no route, or is no address. */
const BEFORE_THE_ROUTE: Readonly<Record<string, number>> = {
  ROUTE_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  MALFORMED_REQUEST: 400,
};

/** Judges answers by the documents: every status documented, every body as its schema says and without a member more. */
export class Judge {
  private readonly ajv = schemaJudge();
  private readonly compiled = new Map<string, ValidateFunction>();
  private readonly names = new Map<ApiDocument, string>();

  constructor(documents: readonly ApiDocument[]) {
    documents.forEach((document, i) => {
      this.names.set(document, `document-${i}`);
      this.ajv.addSchema(closed(document), `document-${i}`);
    });
  }

  /** Returns the faults of the answer, in words; empty when there are none. */
  findings(target: Judged, sent: Pick<Outgoing, 'path' | 'body'>, answer: Answer): string[] {
    const found = [...this.leaks(sent, answer), ...this.shape(target, sent, answer)];
    if (answer.status >= 500 && !isOverload(target, answer)) {
      found.push(`${answer.status} ${codeOf(answer) ?? ''}`);
    }
    if (typeof answer.headers['x-request-id'] !== 'string') found.push('no x-request-id');
    return found;
  }

  private leaks(sent: Pick<Outgoing, 'body'>, answer: Answer): string[] {
    const found: string[] = [];
    if (STACK.test(answer.text)) found.push('a stack trace');
    if (answer.status < 400) return found;
    if (INSIDES.test(answer.text)) found.push('something of the inside');
    const { 'x-request-id': own, 'x-correlation-id': correlation, ...headers } = answer.headers;
    const ids = [own, correlation].map(String);
    // The identifiers of a request come back by contract; they are looked at where they are not in the request.
    const body = ids.reduce((text, id) => text.replaceAll(id, ''), answer.text);
    if ((body + JSON.stringify(headers)).includes(CANARY)) found.push('an echo of what was sent');
    if (sent.body && sent.body.length > 200 && body.includes(sent.body.toString().slice(20, 120))) {
      found.push('an echo of the body');
    }
    return found;
  }

  private shape(target: Judged, sent: Pick<Outgoing, 'path'>, answer: Answer): string[] {
    const code = codeOf(answer);
    // A request that the router took for another route, or for none, is judged as an error or not at all.
    if (isOddPath(target, sent)) {
      if (answer.status < 400) return [];
      if (code !== null && BEFORE_THE_ROUTE[code] === answer.status) {
        return isEnvelope(answer.body) || isProblem(answer.body) ? [] : ['an error without its envelope'];
      }
    }
    // Said by the reader of requests, before any of the program's own code runs.
    if (code === 'HEADERS_TOO_LARGE' && answer.status === 431) return [];
    const response = target.operation.responses[String(answer.status)];
    if (!response) return [`${answer.status} ${code ?? ''} is not in the document`];
    const type = String(answer.headers['content-type'] ?? '').split(';', 1)[0] ?? '';
    if (type === 'application/problem+json') {
      return isProblem(answer.body) ? [] : ['problem details that are none'];
    }
    const content = response.content ?? {};
    if (Object.keys(content).length === 0) {
      return answer.text === '' ? [] : [`a body with ${answer.status}, which has none in the document`];
    }
    const media = content[type];
    if (!media) return [`${type || 'no type'} with ${answer.status} is not in the document`];
    if (!type.endsWith('json') || !media.schema) return [];
    const validate = this.validator(target, String(answer.status), type);
    if (validate(answer.body)) return [];
    return this.closest(target.document, validate.errors ?? [])
      .slice(0, 3)
      .map(
        (e) =>
          `${answer.status}${e.instancePath.replace(/\/\d+/g, '/*')} ${e.message ?? ''} ${JSON.stringify(e.params)}`,
      );
  }

  /** Returns the errors; those of the alternative that lacks least, where a value is none of several alternatives. */
  private closest(document: ApiDocument, errors: readonly ErrorObject[]): readonly ErrorObject[] {
    const union = errors.find(({ keyword }) => keyword === 'oneOf');
    const named = (union?.schema ?? []) as readonly { readonly $ref?: string }[];
    const apart = named.flatMap(({ $ref }) => {
      if ($ref === undefined) return [];
      const validate = this.ajv.compile({ $ref: `${this.names.get(document) ?? ''}${$ref}` });
      return validate(union?.data) ? [] : [validate.errors ?? []];
    });
    return apart.sort((one, other) => one.length - other.length)[0] ?? errors;
  }

  private validator(target: Judged, status: string, type: string): ValidateFunction {
    const keys = ['paths', target.template, target.method, 'responses', status, 'content', type, 'schema'];
    const at = keys
      .map((key) => `/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
      .join('');
    const reference = `${this.names.get(target.document) ?? ''}#${at}`;
    let validate = this.compiled.get(reference);
    if (!validate) {
      validate = this.ajv.compile({ $ref: reference });
      this.compiled.set(reference, validate);
    }
    return validate;
  }
}

const codeOf = ({ body }: Answer): string | null => {
  const { error, type } = (body ?? {}) as { error?: { code?: string } | null; type?: unknown };
  return error?.code ?? (typeof type === 'string' ? (type.split('#')[1] ?? null) : null);
};

// Another's server carries the codes, and may be out of order.
const CARRIED = '/kyc-sessions/{id}/steps/{stepId}/code';

/** Whether somebody may try later; anything else of 5xx means that the service failed where it should have refused. */
function isOverload({ template }: Judged, answer: Answer): boolean {
  const isKnown = codeOf(answer) === 'OVERLOADED' || (template === CARRIED && codeOf(answer) === 'NOT_READY');
  return answer.status === 503 && isKnown && answer.headers['retry-after'] !== undefined;
}

/** Whether the path that was sent is another one for the router: a part is empty, a dot, or does not decode. */
function isOddPath(target: Judged, sent: Pick<Outgoing, 'path'>): boolean {
  const [path = ''] = sent.path.split('?', 1);
  const parts = path.split('/');
  const fits = parts.length === target.template.split('/').length;
  return !fits || parts.slice(1).some((part) => part === '' || /^(\.|%2e)+$/i.test(part) || !decodes(part));
}

function decodes(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}

const ERROR_KEYS = 'code,correlationId,details,docs,message,requestId,retryable';

function isEnvelope(body: unknown): boolean {
  const { data, error } = body as { data?: unknown; error?: object };
  return (
    data === null &&
    Object.keys(error ?? {})
      .sort()
      .join() === ERROR_KEYS
  );
}

const isProblem = (body: unknown): boolean =>
  Object.keys(body as object)
    .sort()
    .join() === 'code,correlationId,details,requestId,retryable,status,title,type';
