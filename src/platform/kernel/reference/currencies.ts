/**
 * ISO 4217 list one (currencies and funds in use, as of 2026): decimals of the minor unit -> codes.
 * Source: SIX Group, the maintenance agency. Against a list of 2023: XCG replaced ANG, ZWG replaced ZWL, XAD is new, and
 * HRK, BGN (euro), CUC and SLL are historic. Codes whose minor unit is "N.A." are left out on purpose: metals, bond
 * market units, XDR, XSU, XUA, XTS and XXX are not money that a transaction can be denominated in.
 */
const CODES_BY_MINOR_UNIT = {
  0: `
    BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF`,
  2: `
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE
    CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD
    HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK
    MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD
    RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH
    USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  3: `
    BHD IQD JOD KWD LYD OMR TND`,
  4: `
    CLF UYW`,
} as const;

const minorUnits = new Map(
  Object.entries(CODES_BY_MINOR_UNIT).flatMap(([decimals, codes]) =>
    codes
      .trim()
      .split(/\s+/)
      .map((code) => [code, Number(decimals)] as const),
  ),
);

export const currencyCodes: readonly string[] = [...minorUnits.keys()].sort();

/** Returns how many decimals an amount in this currency may have, or undefined when there is no such currency. */
export const minorUnitOf = (currency: string): number | undefined => minorUnits.get(currency);
