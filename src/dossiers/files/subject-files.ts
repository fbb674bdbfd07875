import type { Writable } from 'node:stream';
import { declaredLabels, dossierLabels } from '../data/dossier-labels.js';
import type { Language } from '../domain/language.js';
import type { SubjectExport, SubjectPartyView } from '../api/dossier.dto.js';
import { PdfWriter } from '../../print/index.js';
import { RenderedText } from './rendered-text.js';

const GREY = '#5b6672';

/** Writes the export as the usual envelope, a page of transactions at a time. */
export async function* subjectJson(subject: SubjectExport): AsyncGenerator<string> {
  const { id, generatedAt, person, declared, sessions, files } = subject;
  yield `{"data":${JSON.stringify({ id, generatedAt, person, declared, sessions, files }).slice(0, -1)},"transactions":[`;
  let first = true;
  for await (const page of subject.transactions()) {
    if (page.length === 0) continue;
    yield (first ? '' : ',') + page.map((transaction) => JSON.stringify(transaction)).join(',');
    first = false;
  }
  yield ']},"error":null}';
}

/** Writes the export as a PDF for the person to read. */
export async function writeSubjectPdf(
  subject: SubjectExport,
  { language, author, output }: { language: Language; author: string; output: Writable },
): Promise<void> {
  const words = dossierLabels[language];
  const show = new RenderedText(words, language);
  const { person, generatedAt } = subject;
  const pdf = new PdfWriter(
    {
      ...{ title: words.subjectTitle, author, language, madeAt: new Date(generatedAt) },
      foot: `${subject.id} | ${words.generatedAt} ${show.time(generatedAt)}`,
      pageWord: words.page,
      ofWord: words.of,
    },
    output,
  );
  pdf.title(words.subjectTitle);
  pdf.paragraph(words.subjectLaw, { color: GREY });
  pdf.gap(6);
  pdf.values([
    [words.name, show.or(person.name)],
    [words.document, show.or(person.document)],
    [words.externalCustomerId, show.or(person.externalCustomerId)],
    [words.birthDate, show.or(person.birthDate)],
    [words.nationalities, person.nationalities.length > 0 ? person.nationalities.join(', ') : words.unknown],
    [words.personType, person.personType === null ? words.unknown : show.kind(person.personType)],
    [words.identifiedAt, show.time(person.knownSince)],
  ]);
  pdf.heading(words.declared);
  if (subject.declared.length === 0) pdf.paragraph(words.none, { color: GREY });
  for (const { field, value, at } of subject.declared) {
    pdf.apart(`${declaredLabels[language][field] ?? field}: ${value}`, show.time(at));
  }
  pdf.heading(`${words.answered} (${subject.sessions.length})`);
  if (subject.sessions.length === 0) pdf.paragraph(words.none, { color: GREY });
  for (const { name, submittedAt, answers } of subject.sessions) {
    pdf.apart(name, submittedAt === null ? words.unknown : show.time(submittedAt), { bold: true });
    pdf.values(answers.map(({ question, answer }) => [question, answer]));
  }
  pdf.heading(`${words.artifacts} (${subject.files.length})`);
  if (subject.files.length === 0) pdf.paragraph(words.none, { color: GREY });
  for (const { kind, side, mimeType, receivedAt } of subject.files) {
    pdf.apart([kind, side, mimeType].filter((part) => part !== null).join(' | '), show.time(receivedAt));
  }
  pdf.heading(words.transactions);
  let any = false;
  for await (const page of subject.transactions()) {
    for (const one of page) {
      any = true;
      const direction = one.direction === null ? '' : ` (${show.kind(one.direction)})`;
      pdf.gap(4);
      pdf.apart(
        `${show.time(one.occurredAt)}  ${one.type}${direction}  ${one.channel}`,
        show.amount(one.amount, one.currency),
        { bold: true },
      );
      pdf.paragraph(one.transactionId, { size: 8, color: GREY });
      pdf.paragraph(`${words.origin}: ${party(one.origin, show)}`, { size: 8, indent: 12 });
      pdf.paragraph(`${words.destination}: ${party(one.destination, show)}`, { size: 8, indent: 12 });
    }
    await pdf.drain();
  }
  if (!any) pdf.paragraph(words.none, { color: GREY });
  await pdf.finish();
}

function party({ name, document, account, country }: SubjectPartyView, show: RenderedText): string {
  const parts = [name, document, account === null ? null : `${show.words.account} ${account}`, country];
  const known = parts.filter((part) => part !== null);
  return known.length > 0 ? known.join(', ') : show.words.unknown;
}
