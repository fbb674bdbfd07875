import type { Writable } from 'node:stream';
import { dossierLabels } from '../data/dossier-labels.js';
import type { DossierLanguage } from '../domain/language.js';
import type { SubjectExport, SubjectParty } from '../domain/subject-export.js';
import { PdfWriter } from '../../../platform/print/index.js';
import { type Pictures, printPictures } from './dossier-pictures.service.js';
import { PrintFormatter } from './rendered-text.js';

const GREY = '#5b6672';

/** Streams the export as the usual JSON envelope, one page of transactions at a time. */
export async function* subjectJson(subject: SubjectExport): AsyncGenerator<string> {
  const { id, generatedAt, institution, person, declared, sessions, files } = subject;
  yield `{"data":${JSON.stringify({ id, generatedAt, institution, person, declared, sessions, files }).slice(0, -1)},"transactions":[`;
  let first = true;
  for await (const page of subject.iterateTransactions()) {
    if (page.length === 0) continue;
    yield (first ? '' : ',') + page.map((transaction) => JSON.stringify(transaction)).join(',');
    first = false;
  }
  yield ']},"error":null}';
}

export async function writeSubjectPdf(
  subject: SubjectExport,
  to: { language: DossierLanguage; author: string; output: Writable; pictures: Pictures | null },
): Promise<void> {
  const { language, author, output, pictures } = to;
  const words = dossierLabels[language];
  const show = new PrintFormatter(words, language);
  const { institution, generatedAt } = subject;
  const pdf = await PdfWriter.open(
    {
      ...{ title: words.subjectTitle, author, language, madeAt: new Date(generatedAt) },
      head: `${institution?.name ?? author} | ${words.subjectTitle}`,
      foot: `${subject.id} | ${words.generatedAt} ${show.time(generatedAt)} (BRT)`,
      pageWord: words.page,
      ofWord: words.of,
    },
    output,
  );
  const answered = `${words.answered} (${subject.sessions.length})`;
  const files = `${words.artifacts} (${subject.files.length})`;
  pdf.title(words.subjectTitle);
  pdf.paragraph(words.subjectLaw, { color: GREY });
  pdf.paragraph(words.zone, { color: GREY });
  pdf.gap(6);
  if (institution !== null) {
    pdf.values([[words.dataController, `${institution.name} (${show.taxId(institution.taxId)})`]]);
  }
  pdf.contents(words.contents, [
    words.identification,
    words.declared,
    ...[answered, files, words.transactions],
  ]);
  pdf.heading(words.identification);
  writePerson(pdf, subject, show);
  pdf.heading(words.declared);
  writeDeclared(pdf, subject, show);
  pdf.heading(answered);
  if (subject.sessions.length === 0) pdf.paragraph(words.none, { color: GREY });
  for (const { name, submittedAt, answers } of subject.sessions) {
    pdf.subheading(`${name}, ${show.time(submittedAt)}`);
    pdf.values(answers.map(({ question, answer }) => [question, answer]));
  }
  pdf.heading(files);
  if (subject.files.length === 0) pdf.paragraph(words.none, { color: GREY });
  else {
    pdf.list(
      subject.files.map(
        (one) =>
          [
            `${show.file(one)}, ${show.translateCode('fileType', one.mimeType)}, ${show.time(one.receivedAt)}`,
          ] as const,
      ),
    );
  }
  if (pictures) await printPictures(pdf, subject.files, pictures, show);
  pdf.heading(words.transactions);
  let any = false;
  for await (const page of subject.iterateTransactions()) {
    for (const one of page) {
      any = true;
      pdf.gap(6);
      pdf.lineWithAside(show.describeTransaction(one), show.amount(one.amount, one.currency), {
        bold: true,
        as: 'H3',
      });
      pdf.paragraphs(
        [
          `${words.origin}: ${formatParty(one.origin, show)}`,
          `${words.destination}: ${formatParty(one.destination, show)}`,
          one.transactionId,
        ],
        { size: 8, indent: 12 },
      );
    }
    await pdf.drain();
  }
  if (!any) pdf.paragraph(words.none, { color: GREY });
  await pdf.finish();
}

function writePerson(pdf: PdfWriter, { person: one }: SubjectExport, show: PrintFormatter): void {
  const { words } = show;
  pdf.values([
    [words.name, show.or(one.name)],
    [words.document, show.or(one.document)],
    [words.externalCustomerId, show.or(one.externalCustomerId)],
    [words.birthDate, show.day(one.birthDate)],
    [words.nationalities, show.countries(one.nationalities)],
    [words.personType, show.translateCode('personType', one.personType)],
    [words.identifiedAt, show.time(one.knownSince)],
  ]);
}

function writeDeclared(pdf: PdfWriter, subject: SubjectExport, show: PrintFormatter): void {
  const { words } = show;
  if (subject.declared.length === 0) {
    pdf.paragraph(words.none, { color: GREY });
    return;
  }
  pdf.beginTable([
    { title: words.field, share: 4 },
    { title: words.value, share: 4 },
    { title: words.source, share: 3 },
    { title: words.when, share: 3 },
  ]);
  for (const { field, value, by, at } of subject.declared) {
    pdf.row([
      show.translateCode('declared', field),
      show.formatDeclared(field, value),
      ...[show.translateCode('declaredBy', by), show.time(at)],
    ]);
  }
  pdf.endTable();
}

function formatParty({ name, document, account, country }: SubjectParty, show: PrintFormatter): string {
  const parts = [
    ...[name, document],
    account === null ? null : `${show.words.account} ${account}`,
    country === null ? null : show.country(country),
  ];
  const knownParts = parts.filter((part) => part !== null);
  return knownParts.length > 0 ? knownParts.join(', ') : show.words.unknown;
}
