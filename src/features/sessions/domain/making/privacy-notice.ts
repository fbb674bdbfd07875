import { textInLanguage, type FlowLanguage, type LocalisedFlowText } from '../flow/flow.js';

/** The privacy notice of an organisation, shown before any data is requested (LGPD art. 9). */
export interface PrivacyNotice {
  /** The controller of the data: the name that people know, and the CNPJ. */
  readonly controller: { readonly name: string; readonly document: string };
  readonly purposes: readonly LocalisedFlowText[];
  readonly retention: LocalisedFlowText;
  /** The encarregado (LGPD art. 41). */
  readonly officer: { readonly name: string; readonly contact: string };
  /** Photos of faces are sensitive data (LGPD art. 5, II). */
  readonly biometrics: LocalisedFlowText;
  /** Contact for help with the verification: a phone number, an address, a page. */
  readonly helpContact?: string;
}

export interface PrivacyNoticeVersion {
  readonly id: string;
  readonly version: number;
  readonly content: PrivacyNotice;
  readonly createdBy: string;
  readonly createdAt: Date;
}

/** The organisation's notice about personal data, in the language of the page. */
export interface PublicNotice {
  readonly version: number;
  readonly controller: PrivacyNotice['controller'];
  readonly purposes: readonly string[];
  readonly retention: string;
  readonly officer: PrivacyNotice['officer'];
  readonly biometrics: string;
  readonly helpContact: string | null;
}

/** Returns a version in the language of the page. */
export function publicNotice(
  { version, content }: Pick<PrivacyNoticeVersion, 'version' | 'content'>,
  language: FlowLanguage,
): PublicNotice {
  const { controller, purposes, retention, officer, biometrics, helpContact } = content;
  return {
    ...{ version, controller, officer },
    purposes: purposes.map((text) => textInLanguage(text, language)),
    retention: textInLanguage(retention, language),
    biometrics: textInLanguage(biometrics, language),
    helpContact: helpContact ?? null,
  };
}
