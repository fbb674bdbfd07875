import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/index.js';
import {
  HitDispositionService,
  Screener,
  today,
  type Party,
  type RecordedMatch,
  type Screening,
} from '../../screening/index.js';
import { failed, finding, missing, taxIdIn, type Finding } from '../domain/checks/built-in-checks.js';
import type { Answers } from '../domain/flow/flow.js';
import type { SessionRow } from '../domain/records.js';

/** The result of the lists, and the hits that a person has to decide. */
export interface Screened {
  readonly finding: Finding;
  readonly hitIds: readonly string[];
}

/** Screens the person of a session against the organisation's lists. */
@Injectable()
export class ScreeningCheck {
  constructor(
    private readonly screener: Screener,
    private readonly dispositions: HitDispositionService,
    private readonly clock: Clock,
  ) {}

  async run(
    session: SessionRow,
    answers: Answers,
    customer: { readonly customerId: string; readonly subjectIndex: Buffer },
  ): Promise<Screened> {
    const name = answers['name'];
    if (typeof name !== 'string') return { finding: missing('NAME_NOT_GIVEN', 'lists'), hitIds: [] };
    const { organisationId } = session;
    const now = new Date(this.clock.now());
    const party = partyOf(session, answers, name, customer);
    const screening = await this.screener.screen(organisationId, [party], today(now.getTime()), now);
    const matches = await this.dispositions.record(
      organisationId,
      screening.matches.flat(),
      'sessions.checks',
    );
    return { finding: findingOf(screening, matches, now), hitIds: matches.map(({ hitId }) => hitId) };
  }
}

function partyOf(
  { organisationId, transactionRef }: SessionRow,
  answers: Answers,
  name: string,
  customer: { readonly customerId: string; readonly subjectIndex: Buffer },
): Party {
  const taxId = taxIdIn(answers);
  const document = taxId?.canonical() ?? null;
  const birthDate = answers['birthDate'];
  return {
    role: 'CUSTOMER',
    name,
    kind: taxId?.kind === 'CNPJ' ? 'ORGANISATION' : 'PERSON',
    facts: {
      document,
      visibleDigits: taxId?.kind === 'CPF' ? taxId.canonical().slice(3, 9) : null,
      birthDate: typeof birthDate === 'string' ? birthDate : null,
      nationalities: [],
    },
    values: document === null ? [] : [{ type: 'DOCUMENT', value: document }],
    subject: { organisationId, index: customer.subjectIndex },
    customerId: customer.customerId,
    transactionRef,
  };
}

/** A hit is a hit whatever else could not be asked; that there is none needs every list, and a fresh one. */
function findingOf(screening: Screening, matches: readonly RecordedMatch[], now: Date): Finding {
  const { state, source, asOf, stale, kinds } = screening;
  const standing = matches.filter(({ status }) => status !== 'DISMISSED_FALSE_POSITIVE');
  const mandatory = standing.filter((match) => match.mandatory);
  const at = { source, asOf: asOf ?? now };
  if (mandatory.length > 0) {
    const kind = mandatory.some(({ list }) => list.kind === 'SANCTIONS')
      ? 'SANCTIONS'
      : (mandatory[0]?.list.kind ?? '');
    return { ...finding('HIT', `${kind}_HIT`, kind === 'SANCTIONS' ? 100 : 40, 'REVIEW'), ...at };
  }
  switch (state) {
    case 'LOADING':
    case 'STOPPED':
    case 'FAILED':
      return { ...failed(`INDEX_${state}`), ...at };
    case 'NO_LISTS':
      return { ...missing('NO_LISTS'), ...at };
    case 'STALE':
      return { ...finding('STALE_SOURCE', `LIST_STALE:${stale.join('+')}`), ...at };
    case 'READY':
      if (!kinds.has('SANCTIONS') || !kinds.has('PEP')) {
        return { ...finding('PARTIAL', 'LIST_KIND_MISSING'), ...at };
      }
      return { ...(standing.length > 0 ? finding('HIT', 'WEAK_MATCH', 20) : finding('NO_HIT')), ...at };
    default:
      return state satisfies never;
  }
}
