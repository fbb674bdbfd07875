import { View } from '../../../platform/http/index.js';
import { artifactKinds, artifactMimeTypes } from '../../uploads/index.js';
import type {
  SubjectPerson,
  SubjectFile,
  SubjectDeclaration,
  SubjectAnswer,
  SubjectSession,
  SubjectParty,
  SubjectTransaction,
  SubjectExport,
} from '../domain/subject-export.js';
import { DossierInstitutionView } from './dossier.dto.js';

export class SubjectPersonView implements SubjectPerson {
  @View.textOrNull('The name of the person.', { example: 'Maria Exemplo' }) name: string | null;
  @View.textOrNull('In full: it is the own one.') document: string | null;
  @View.textOrNull('Your id of the customer.') externalCustomerId: string | null;
  @View.textOrNull('The date of birth, as `YYYY-MM-DD`.') birthDate: string | null;
  @View.texts('The nationalities, ISO 3166 alpha-2.', { example: ['BR'] }) nationalities: readonly string[];
  @View.textOrNull('A natural or a legal person.', { example: 'NATURAL' }) personType: string | null;
  @View.instant('Since when the person is known.') knownSince: string;
}

export class SubjectFileView implements SubjectFile {
  @View.id('art', 'The id of the file.') id: string;
  @View.enum(artifactKinds, 'The kind of file.', { example: 'SELFIE' }) kind: string;
  @View.textOrNull('Which side of the document.') side: string | null;
  @View.enum(artifactMimeTypes, 'The type of the file.', { example: 'image/jpeg' }) mimeType: string;
  @View.instant('When it was received.') receivedAt: string;
}

/** A declaration of the person, as the institution stores it. */
export class OwnDeclarationView implements SubjectDeclaration {
  @View.text('The name of the field.', { example: 'monthlyIncome' }) field: string;
  @View.text('The value.', { example: '4800' }) value: string;
  @View.enum(['SESSION', 'OPERATOR', 'CLIENT', 'UPLOAD'], 'By whom it was written down.') by: string;
  @View.instant('As of when it holds.') at: string;
}

export class OwnAnswerView implements SubjectAnswer {
  @View.text('What was asked.', { example: 'Renda mensal (R$)' }) question: string;
  @View.text('What was answered.', { example: '4800.00' }) answer: string;
}

export class OwnSessionView implements SubjectSession {
  @View.text('The name of the flow.', { example: 'Cadastro de pessoa física' }) name: string;
  @View.instantOrNull('When it was submitted; null before.') submittedAt: string | null;
  @View.list(OwnAnswerView, 'What was answered.') answers: readonly OwnAnswerView[];
}

export class SubjectPartyView implements SubjectParty {
  @View.textOrNull('The name of the party.') name: string | null;
  @View.textOrNull('In full for the person, masked for others.') document: string | null;
  @View.textOrNull('The account, as it was given.') account: string | null;
  @View.textOrNull('The country, ISO 3166 alpha-2.') country: string | null;
}

export class OwnTransactionView implements SubjectTransaction {
  @View.text('Your id of the transaction.', { example: 'order-1001' }) transactionId: string;
  @View.text('The type of the transaction.', { example: 'PIX_TRANSFER' }) type: string;
  @View.text('The channel on which the transaction came in.', { example: 'MOBILE_APP' }) channel: string;
  @View.textOrNull('Whether the money goes out or in.', { example: 'OUT' }) direction: string | null;
  @View.text('The amount, in the currency beside it.', { example: '120.5' }) amount: string;
  @View.text('The currency, ISO 4217 alpha-3.', { example: 'BRL' }) currency: string;
  @View.instant('When it took place.') occurredAt: string;
  @View.object(SubjectPartyView, 'The participant who sends.') origin: SubjectPartyView;
  @View.object(SubjectPartyView, 'The participant who receives.') destination: SubjectPartyView;
}

/** The data held about a person, without any conclusion from them. */
export class SubjectExportView implements Omit<SubjectExport, 'iterateTransactions'> {
  @View.id('dsr', 'The id of the export.') id: string;
  @View.instant('When it was put together.') generatedAt: string;

  @View.objectOrNull(DossierInstitutionView, 'Null until the institution has said who it is.')
  institution: DossierInstitutionView | null;

  @View.object(SubjectPersonView, 'The person.') person: SubjectPersonView;
  @View.list(OwnDeclarationView, 'What the person or the institution has declared.')
  declared: readonly OwnDeclarationView[];
  @View.list(OwnSessionView, 'What the person answered, in full.') sessions: readonly OwnSessionView[];
  @View.list(SubjectFileView, 'The uploaded files.') files: readonly SubjectFileView[];
  @View.list(OwnTransactionView, 'The transactions.') transactions: readonly OwnTransactionView[];
}
