/** The profile of a customer; stored encrypted under the customer's own data key. */
export interface CustomerProfile {
  readonly name: string | null;
  /** CPF or CNPJ without punctuation. */
  readonly document: string | null;
  /** A partly known document, with `*` for each unknown character. */
  readonly documentMasked: string | null;
  readonly externalCustomerId: string | null;
  /** `YYYY-MM-DD`. */
  readonly birthDate: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly nationalities: readonly string[];
  /** True if one operator alone wrote the birth date down. */
  readonly birthDateUnconfirmed?: boolean;
  /** True if one operator alone wrote the name down: it does not count as known yet. */
  readonly nameUnconfirmed?: boolean;
  /** Values that the customer declared or chose, or that an operator recorded. */
  readonly declared?: DeclaredProfile;
}

/** Values that rules compare transactions with. Amounts in reais; null if unknown. */
export interface DeclaredProfile {
  readonly monthlyIncome: number | null;
  readonly monthlyRevenue: number | null;
  /** The customer's own PIX limit at night. */
  readonly nightLimit: number | null;
  /** The hour at which the night limit begins: 20 or 22. */
  readonly nightStartHour: number | null;
  readonly pep: boolean | null;
  /** RFC 3339; the time of the newest declaration. */
  readonly asOf: string;
  /** The fields below are absent until somebody declares them. */
  readonly occupation?: string | null;
  readonly segment?: string | null;
  /** `YYYY-MM-DD`. */
  readonly relationshipSince?: string | null;
  readonly pepOffice?: string | null;
  readonly pepRelation?: string | null;
  readonly email?: string | null;
  readonly phone?: string | null;
  /** The source of each value, keyed by field. */
  readonly from?: Readonly<Partial<Record<DeclaredField, DeclarationSource>>>;
}

/** A field of the profile with a declared value: every field but `asOf` and `from`, which describe the others. */
export type DeclaredField = Exclude<keyof DeclaredProfile, 'asOf' | 'from'>;

export type Declaration = Partial<Pick<DeclaredProfile, DeclaredField>>;

/** The source of a declared value: the person in a session, an operator, or the institution's own system. */
export interface DeclarationSource {
  readonly by: 'SESSION' | 'OPERATOR' | 'CLIENT' | 'UPLOAD';
  /** The session or the import; null if an operator changed the value by hand. */
  readonly ref: string | null;
  /** RFC 3339; the value was true on this day. */
  readonly at: string;
  /** True if one person alone approved the value, or the scope of the application that stated it. */
  readonly singleControl?: boolean;
  /**
   * Present if one operator alone stands behind the value. `before` is the last value that counts without that
   * operator, and `said` its source.
   */
  readonly unconfirmed?: { readonly before: DeclaredValue; readonly said?: DeclarationSource };
}

/** A declared value; null if none is known. */
export type DeclaredValue = string | number | boolean | null;

/** The part of a customer record that rules read. */
export interface CustomerRiskProfile {
  readonly declared: DeclaredProfile | null;
  /** `YYYY-MM-DD`. */
  readonly birthDate: string | null;
  readonly nationalities: readonly string[];
  readonly riskLevel: 'LOW' | 'MEDIUM' | 'HIGH' | null;
  /** True if one person alone lowered the level. */
  readonly riskSingleControl: boolean;
  /** The profile as if no operator had written anything down alone; null if no operator has done so. */
  readonly confirmed: Pick<CustomerRiskProfile, 'declared' | 'birthDate' | 'riskLevel'> | null;
}

export type PersonType = 'NATURAL' | 'LEGAL';

/** A customer with the decrypted profile. */
export interface CustomerWithProfile {
  readonly id: string;
  readonly organisationId: string;
  readonly personType: PersonType | null;
  readonly subjectIndex: Buffer;
  readonly profile: CustomerProfile;
}

/** Fills the missing fields of a profile and overwrites none; null if the observation adds nothing. */
export function enrichProfile(known: CustomerProfile, seen: CustomerProfile): CustomerProfile | null {
  const namedProfile = knownName(known) === null && seen.name !== null ? seen : known;
  const together: CustomerProfile = {
    name: namedProfile.name,
    document: known.document ?? seen.document,
    documentMasked: known.documentMasked ?? seen.documentMasked,
    externalCustomerId: known.externalCustomerId ?? seen.externalCustomerId,
    birthDate: known.birthDate ?? seen.birthDate,
    nationalities: known.nationalities.length > 0 ? known.nationalities : seen.nationalities,
    ...((known.birthDate === null ? seen : known).birthDateUnconfirmed && { birthDateUnconfirmed: true }),
    ...(namedProfile.nameUnconfirmed && { nameUnconfirmed: true }),
    ...(known.declared ? { declared: known.declared } : {}),
  };
  const same =
    namedProfile === known &&
    (Object.keys(together) as (keyof CustomerProfile)[]).every((key) => together[key] === known[key]);
  return same ? null : together;
}

/** Returns the name that more than one operator stands behind; null if there is none. */
export const knownName = ({ name, nameUnconfirmed }: CustomerProfile): string | null =>
  nameUnconfirmed === true ? null : name;
