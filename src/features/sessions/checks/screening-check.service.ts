import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/kernel/index.js';
import { BlindIndex } from '../../../platform/privacy/index.js';
import {
  HitDispositionService,
  ScreenerService,
  today,
  type ScreenedParty,
  type RecordedMatch,
  type Screening,
} from '../../screening/index.js';
import {
  errorFinding,
  checkFinding,
  missingInputFinding,
  type CheckFinding,
} from '../domain/checks/built-in-checks.js';
import type { DescribedPerson, DeclaredSubject } from '../domain/flow/roles.js';
import type { SessionRow } from '../domain/records.js';
import type { IdentifiedPerson, ScreenedPerson } from '../people/session-people.service.js';

/** The result of screening, and the hits that a person has to decide: all of them, and per person of a company. */
export interface ScreeningFinding {
  readonly finding: CheckFinding;
  readonly hitIds: readonly string[];
  readonly people: readonly ScreenedPerson[];
}

interface CustomerKey {
  readonly customerId: string;
  readonly subjectIndex: Buffer;
}

/** Screens the person or company of a session, and its people, against the organisation's lists. */
@Injectable()
export class ScreeningCheckService {
  constructor(
    private readonly screener: ScreenerService,
    private readonly dispositions: HitDispositionService,
    private readonly index: BlindIndex,
    private readonly clock: Clock,
  ) {}

  async run(
    session: SessionRow,
    said: DeclaredSubject,
    customer: CustomerKey,
    people: readonly IdentifiedPerson[],
  ): Promise<ScreeningFinding> {
    const { organisationId } = session;
    const now = new Date(this.clock.now());
    const parties = [
      // The people of a company are screened even if the company has given no name.
      said.name === null ? null : partyOf(session, said, said.name, customer, said.isCompany),
      ...people.map((person) => this.partyOfPerson(session, person, customer)),
    ];
    const screening = await this.screener.screen(
      organisationId,
      parties.filter((party) => party !== null),
      today(now.getTime()),
      now,
    );
    const matches = await this.dispositions.recordMatches(
      organisationId,
      screening.matches.flat(),
      'sessions.checks',
    );
    const undismissed = matches.filter(({ status }) => status !== 'DISMISSED_FALSE_POSITIVE');
    const checkResult = findingOf(screening, matches, now);
    const isCompared = (party: ScreenedParty | null | undefined): boolean =>
      party !== null && party !== undefined && screening.compared.has(party);
    const nameless = !isCompared(parties[0]) && checkResult.state !== 'HIT';
    return {
      finding: nameless ? missingInputFinding('NAME_NOT_GIVEN', 'lists') : checkResult,
      hitIds: matches.map(({ hitId }) => hitId),
      people: people.map((person, i) => ({
        ...person,
        screened:
          isCompared(parties[i + 1]) && (checkResult.state === 'HIT' || checkResult.state === 'NO_HIT'),
        hitIds: undismissed.filter(({ party }) => party === parties[i + 1]).map(({ hitId }) => hitId),
      })),
    };
  }

  /**
   * Converts a person of a company to a party to screen. Without a customer record, the name is the subject key of the
   * hits.
   */
  private partyOfPerson(
    session: SessionRow,
    person: IdentifiedPerson,
    company: CustomerKey,
  ): ScreenedParty | null {
    const { name, identified } = person;
    if (name === null) return null;
    const { organisationId } = session;
    if (identified) return partyOf(session, person, name, identified, false);
    const index = this.index.computeIndex(organisationId, 'name', name.toLowerCase());
    const nobody = { customerId: company.customerId, subjectIndex: index };
    return {
      ...partyOf(session, person, name, nobody, false),
      ...{ customerId: null, forCustomerId: company.customerId },
    };
  }
}

function partyOf(
  { organisationId, transactionRef }: Pick<SessionRow, 'organisationId' | 'transactionRef'>,
  { taxId, birthDate }: DescribedPerson,
  name: string,
  { customerId, subjectIndex }: CustomerKey,
  isCompany: boolean,
): ScreenedParty {
  const document = taxId?.canonical() ?? null;
  return {
    role: 'CUSTOMER',
    name,
    kind: isCompany || taxId?.kind === 'CNPJ' ? 'ORGANISATION' : 'PERSON',
    facts: {
      document,
      visibleDigits: taxId?.kind === 'CPF' ? taxId.canonical().slice(3, 9) : null,
      birthDate,
      nationalities: [],
    },
    values: document === null ? [] : [{ type: 'DOCUMENT', value: document }],
    subject: { organisationId, index: subjectIndex },
    ...{ customerId, transactionRef },
  };
}

/**
 * Returns the finding of a screening. A hit counts even if some lists gave no answer; NO_HIT requires an answer from
 * every list, none of them stale.
 */
function findingOf(screening: Screening, matches: readonly RecordedMatch[], now: Date): CheckFinding {
  const { state, source, asOf, stale, kinds } = screening;
  const undismissed = matches.filter(({ status }) => status !== 'DISMISSED_FALSE_POSITIVE');
  const mandatory = undismissed.filter((match) => match.mandatory);
  const at = { source, asOf: asOf ?? now };
  if (mandatory.length > 0) {
    const kind = mandatory.some(({ list }) => list.kind === 'SANCTIONS')
      ? 'SANCTIONS'
      : (mandatory[0]?.list.kind ?? '');
    return { ...checkFinding('HIT', `${kind}_HIT`, kind === 'SANCTIONS' ? 100 : 40, 'REVIEW'), ...at };
  }
  switch (state) {
    case 'LOADING':
    case 'STOPPED':
    case 'FAILED':
      return { ...errorFinding(`INDEX_${state}`), ...at };
    case 'ALTERED':
      return { ...errorFinding('LIST_ALTERED'), ...at };
    case 'NO_LISTS':
      return { ...missingInputFinding('NO_LISTS'), ...at };
    case 'STALE':
      return { ...checkFinding('STALE_SOURCE', `LIST_STALE:${stale.join('+')}`), ...at };
    case 'READY':
      if (!kinds.has('SANCTIONS') || !kinds.has('PEP')) {
        return { ...checkFinding('PARTIAL', 'LIST_KIND_MISSING'), ...at };
      }
      if (screening.cut.size > 0) return { ...checkFinding('PARTIAL', 'TOO_MANY_MATCHES'), ...at };
      return {
        ...(undismissed.length > 0 ? checkFinding('HIT', 'WEAK_MATCH', 20) : checkFinding('NO_HIT')),
        ...at,
      };
    default:
      return state satisfies never;
  }
}
