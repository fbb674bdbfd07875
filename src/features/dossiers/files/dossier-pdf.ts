import type { Writable } from 'node:stream';
import { dossierLabels } from '../data/dossier-labels.js';
import type {
  Dossier,
  DossierCase,
  DossierEvaluation,
  DossierHit,
  DossierParty,
  DossierTransaction,
} from '../domain/dossier.js';
import type { DossierLanguage } from '../domain/language.js';
import { priorityOf } from '../../reviews/index.js';
import { PdfWriter } from '../../../platform/print/index.js';
import { type Pictures, printPictures } from './dossier-pictures.service.js';
import { PrintFormatter } from './rendered-text.js';

// The number of transactions between two calls of `drain`.
const BETWEEN = 25;
const RED = '#a4161a';
const GREY = '#5b6672';
const SMALL = { size: 8, indent: 12 } as const;
const DIM = { ...SMALL, color: GREY } as const;

/** Writes a dossier as a PDF, page by page. Times are local to São Paulo, which the PDF states. */
export async function writeDossierPdf(
  dossier: Dossier,
  to: { language: DossierLanguage; author: string; output: Writable; pictures: Pictures | null },
): Promise<void> {
  const { language, author, output, pictures } = to;
  const words = dossierLabels[language];
  const { head, cases, hits } = dossier;
  const title = head.about === 'CUSTOMER' ? words.title : words.caseTitle;
  const show = new PrintFormatter(words, language, head.people);
  const pdf = await PdfWriter.open(
    {
      ...{ title, author, language, madeAt: new Date(head.generatedAt) },
      head: `${head.institution?.name ?? author} | ${title}`,
      foot: `${head.id} | ${words.generatedAt} ${show.time(head.generatedAt)} (BRT) | ${words.trail}: ${words[head.trail.status]}`,
      pageWord: words.page,
      ofWord: words.of,
    },
    output,
  );
  const countedText = (name: string, count: number): string => `${name} (${show.number(count)})`;
  const headings = {
    customer: dossier.customer ? words.customer : null,
    people: words.people,
    cases: countedText(words.cases, cases.length),
    hits: countedText(words.hits, hits.length),
    communications: countedText(words.communications, dossier.communications.length),
    sessions: countedText(words.sessions, dossier.sessions.length),
    artifacts: countedText(words.artifacts, dossier.artifacts.length),
    transactions: countedText(words.transactions, dossier.transactionCount),
  };
  pdf.title(title);
  pdf.paragraph(words.confidential, { color: RED });
  pdf.paragraph(words.zone, { color: GREY });
  pdf.gap(6);
  writeFront(pdf, dossier, show);
  pdf.contents(
    words.contents,
    Object.values(headings).filter((one) => one !== null),
  );
  if (dossier.customer && headings.customer !== null) {
    pdf.heading(headings.customer);
    writeCustomer(pdf, dossier.customer, show);
  }
  const writeHeading = (heading: string, count: number): void => {
    pdf.heading(heading);
    if (count === 0) pdf.paragraph(words.none, { color: GREY });
  };
  writeHeading(headings.people, head.people.length);
  writePeople(pdf, dossier, show);
  writeHeading(headings.cases, cases.length);
  for (const one of cases) {
    writeCase(pdf, one, show);
    await pdf.drain();
  }
  writeHeading(headings.hits, hits.length);
  for (const one of hits) writeHit(pdf, one, show);
  writeHeading(headings.communications, dossier.communications.length);
  writeCommunications(pdf, dossier, show);
  writeHeading(headings.sessions, dossier.sessions.length);
  writeSessions(pdf, dossier, show);
  writeHeading(headings.artifacts, dossier.artifacts.length);
  writeFiles(pdf, dossier, show);
  if (pictures) await printPictures(pdf, dossier.artifacts, pictures, show);
  writeHeading(headings.transactions, dossier.transactionCount);
  for await (const page of dossier.iterateTransactions()) {
    for (const [i, one] of page.entries()) {
      pdf.block(() => {
        writeTransaction(pdf, one, show);
      });
      if (i % BETWEEN === 0) await pdf.drain();
    }
    await pdf.drain();
  }
  pdf.gap(10);
  pdf.paragraph(words.end, { color: GREY });
  await pdf.finish();
}

function writeFront(pdf: PdfWriter, { head }: Dossier, show: PrintFormatter): void {
  const { words } = show;
  const { trail, institution } = head;
  pdf.values([
    [words.subject, head.subjectId],
    [words.dossierId, head.id],
    [words.generatedAt, show.time(head.generatedAt)],
    ...(institution === null
      ? []
      : ([[words.institution, `${institution.name} (${show.taxId(institution.taxId)})`]] as const)),
    [words.generatedBy, show.person(head.generatedBy)],
    [words.auditReady, show.yesOrNo(head.auditReady)],
    [words.trail, words[trail.status]],
    [words.trailSubjects, show.number(trail.subjects)],
    [
      words.checkpoint,
      trail.checkpoint
        ? `${show.number(trail.checkpoint.size)} | ${trail.checkpoint.root} | ${show.time(trail.checkpoint.signedAt)}`
        : words.unknown,
    ],
  ]);
  for (const { subject, status } of trail.incomplete) {
    pdf.paragraph(`${subject}: ${words[status]}`, { color: RED, indent: 12 });
  }
}

function writeCustomer(pdf: PdfWriter, one: NonNullable<Dossier['customer']>, show: PrintFormatter): void {
  const { words } = show;
  pdf.values([
    [words.name, show.or(one.name)],
    [words.document, show.or(one.documentMasked)],
    [words.externalCustomerId, show.or(one.externalCustomerId)],
    [words.birthDate, show.day(one.birthDate)],
    [words.nationalities, show.countries(one.nationalities)],
    [words.personType, show.translateCode('personType', one.personType)],
    [
      words.assurance,
      `${show.translateCode('assurance', one.assurance)}, ${show.translateCode('identifiedBy', one.identifiedBy)}`,
    ],
    [words.identifiedAt, show.time(one.identifiedAt)],
    [words.riskLevel, show.translateCode('risk', one.riskLevel)],
    [words.legalHold, show.yesOrNo(one.legalHold)],
    ...(one.erased ? [[words.erased, words.yes] as const] : []),
  ]);
}

function writePeople(pdf: PdfWriter, { head }: Dossier, show: PrintFormatter): void {
  const { words } = show;
  if (head.people.length === 0) return;
  pdf.beginTable([
    { title: words.name, share: 3 },
    { title: words.roles, share: 3 },
    { title: words.number, share: 4 },
  ]);
  for (const one of head.people) pdf.row([one.name, show.roles(one), one.id]);
  pdf.endTable();
}

function writeCase(pdf: PdfWriter, one: DossierCase, show: PrintFormatter): void {
  const { words } = show;
  pdf.subheading(
    `${show.translateCode('caseKind', one.kind)}, ${show.translateCode('caseStatus', one.status)}`,
  );
  pdf.values([
    [words.caseId, one.id],
    [words.openedAt, show.time(one.openedAt)],
    [words.openedBy, show.person(one.openedBy)],
    [words.priority, show.translateCode('priority', priorityOf(one.priority))],
    [words.riskScore, one.riskScore === null ? words.unknown : String(one.riskScore)],
    [words.linked, show.number(one.transactions)],
    [words.deadlines, `${show.time(one.selectionDeadline)}, ${show.time(one.analysisDeadline)}`],
    ...(one.resolution === null
      ? []
      : ([
          [
            words.decision,
            `${show.translateCode('resolution', one.resolution)}, ${show.translateCode('report', one.report)}`,
          ],
          [words.proposed, `${show.person(one.proposedBy)}, ${show.time(one.proposedAt)}`],
        ] as const)),
    ...(one.closedBy === null
      ? []
      : ([[words.closed, `${show.person(one.closedBy)}, ${show.time(one.closedAt)}`]] as const)),
    ...(one.justification === null ? [] : ([[words.justification, one.justification]] as const)),
    ...(one.retainUntil === null ? [] : ([[words.retainUntil, show.day(one.retainUntil)]] as const)),
    ...(one.reopenedFrom === null ? [] : ([[words.reopenedFrom, one.reopenedFrom]] as const)),
  ]);
  if (one.notes.length > 0) {
    pdf.gap(3);
    pdf.paragraph(words.notes, { bold: true });
    pdf.list(
      one.notes.map(
        ({ writtenAt, author, text }) =>
          [text ?? words.erasedBody, `${show.person(author)}, ${show.time(writtenAt)}`] as const,
      ),
    );
  }
  pdf.gap(3);
  pdf.beginTable([
    { title: words.when, share: 3 },
    { title: words.step, share: 4 },
    { title: words.who, share: 5 },
  ]);
  for (const { at, action, actor } of one.steps) {
    pdf.row([show.time(at), show.translateCode('step', action), show.person(actor)]);
  }
  pdf.endTable();
}

function writeHit(pdf: PdfWriter, one: DossierHit, show: PrintFormatter): void {
  const { words } = show;
  pdf.subheading(`${one.foundName ?? one.entry}: ${show.translateCode('hitStatus', one.status)}`);
  pdf.values([
    [words.hitId, one.id],
    [words.list, `${one.list} (${show.translateCode('listKind', one.listKind)})`],
    [
      words.found,
      `${show.time(one.foundAt)}, ${show.translateCode('strength', one.strength)}, ${words.score} ${show.share(one.score)}`,
    ],
    [words.mandatory, show.yesOrNo(one.mandatory)],
    ...(one.decidedBy === null
      ? []
      : ([[words.decidedBy, `${show.person(one.decidedBy)}, ${show.time(one.decidedAt)}`]] as const)),
    ...(one.justification === null ? [] : ([[words.justification, one.justification]] as const)),
  ]);
}

function writeCommunications(pdf: PdfWriter, dossier: Dossier, show: PrintFormatter): void {
  const { words } = show;
  if (dossier.communications.length === 0) return;
  pdf.beginTable([
    { title: words.kindOf, share: 3 },
    { title: words.state, share: 3 },
    { title: words.dueAt, share: 3 },
    { title: words.filing, share: 3 },
    { title: words.number, share: 5 },
  ]);
  for (const { id, kind, status, dueAt, filingNumber } of dossier.communications) {
    pdf.row([
      show.translateCode('communicationKind', kind),
      show.translateCode('communicationStatus', status),
      ...[show.time(dueAt), filingNumber ?? '', id],
    ]);
  }
  pdf.endTable();
}

function writeSessions(pdf: PdfWriter, dossier: Dossier, show: PrintFormatter): void {
  const { words } = show;
  if (dossier.sessions.length === 0) return;
  pdf.beginTable([
    { title: words.when, share: 3 },
    { title: words.flow, share: 3 },
    { title: words.state, share: 4 },
    { title: words.result, share: 5 },
    { title: words.number, share: 5 },
  ]);
  for (const one of dossier.sessions) {
    const state = [
      show.translateCode('sessionStatus', one.status),
      ...(one.statusReason === null ? [] : [show.translateCode('statusReason', one.statusReason)]),
    ];
    const result = [
      ...(one.outcome === null ? [] : [show.translateCode('outcome', one.outcome)]),
      ...(one.composition === null
        ? []
        : [
            `${words.score} ${one.score ?? words.unknown}`,
            `${words.composition} ${show.translateCode('composition', one.composition)}`,
            one.defensible === true ? words.defensible : words.notDefensible,
            ...one.nonDefensibleReasons.map((code) => show.formatDefensibilityReason(code)),
          ]),
    ];
    const flow = `${one.flow} (${show.translateCode('sessionTrigger', one.trigger)})`;
    pdf.row([show.time(one.createdAt), flow, state.join(', '), result.join(', '), one.id]);
  }
  pdf.endTable();
}

function writeFiles(pdf: PdfWriter, dossier: Dossier, show: PrintFormatter): void {
  const { words } = show;
  if (dossier.artifacts.length === 0) return;
  pdf.beginTable([
    { title: words.file, share: 4 },
    { title: words.when, share: 3 },
    { title: words.size, share: 2, right: true },
    { title: words.hash, share: 6 },
  ]);
  for (const one of dossier.artifacts) {
    const name = [show.file(one), show.translateCode('fileType', one.mimeType)];
    if (one.state !== 'STORED') name.push(show.translateCode('fileState', one.state));
    pdf.row([name.join(', '), show.time(one.receivedAt), show.size(one.sizeBytes), one.sha256 ?? '']);
  }
  pdf.endTable();
}

function writeTransaction(pdf: PdfWriter, one: DossierTransaction, show: PrintFormatter): void {
  const { words } = show;
  const last = one.evaluations.at(-1);
  pdf.gap(6);
  pdf.lineWithAside(show.describeTransaction(one), show.amount(one.amount, one.currency), {
    bold: true,
    as: 'H3',
  });
  const result = last
    ? `${show.translateCode('outcome', last.decision?.outcome ?? last.outcome)}, ${words.score} ${last.score ?? words.unknown}`
    : show.translateCode('transactionStatus', one.status);
  pdf.paragraph(result, { ...SMALL, bold: true });
  if (one.submissionState === 'OPEN') {
    pdf.paragraphs(
      [
        `${words.origin}: ${formatParty(one.origin, show)}`,
        `${words.destination}: ${formatParty(one.destination, show)}`,
        `${one.transactionId} | ${one.id}`,
      ],
      SMALL,
    );
  } else {
    const text = one.submissionState === 'ERASED' ? words.erasedBody : words.brokenBody;
    pdf.paragraphs([text, `${one.transactionId} | ${one.id}`], { ...SMALL, color: RED });
  }
  for (const evaluation of one.evaluations) writeEvaluation(pdf, evaluation, show);
}

function formatParty(one: DossierParty | null, show: PrintFormatter): string {
  const { words } = show;
  const parts = [
    one?.name,
    one?.documentMasked,
    one?.account ? `${words.account} ${one.account}` : null,
    one?.country ? show.country(one.country) : null,
  ].filter((part) => part !== null && part !== undefined);
  return parts.length > 0 ? parts.join(', ') : words.unknown;
}

function writeEvaluation(pdf: PdfWriter, one: DossierEvaluation, show: PrintFormatter): void {
  const { words } = show;
  if (one.decision) {
    const { outcome, reviewId, decidedAt, singleControl, proposedBy, closedBy, justification } = one.decision;
    pdf.paragraph(
      `${words.decision}: ${show.translateCode('outcome', outcome)}, ${show.time(decidedAt)}, ${words.inCase} ${reviewId}` +
        (singleControl ? `, ${words.decidedBySingle}` : ''),
      { ...SMALL, bold: true },
    );
    const people = [
      ...(proposedBy ? [`${words.proposed}: ${show.formatNamedPerson(proposedBy)}`] : []),
      ...(closedBy ? [`${words.closed}: ${show.formatNamedPerson(closedBy)}`] : []),
    ];
    if (people.length > 0) pdf.paragraph(people.join('; '), SMALL);
    pdf.paragraph(`${words.justification}: ${justification ?? words.erasedBody}`, SMALL);
  }
  const defensible = one.defensible ? words.defensible : words.notDefensible;
  const against = one.nonDefensibleReasons.map((code) => show.formatDefensibilityReason(code)).join('; ');
  const terms = (['silenced', 'dismissedHits', 'listsOff', 'listsStale', 'thresholds'] as const)
    .filter((name) => one.terms[name].length > 0)
    .map((name) => {
      const texts =
        name === 'silenced' ? one.terms[name].map((text) => show.formatSuppression(text)) : one.terms[name];
      return `${words[name]}: ${texts.join('; ')}`;
    });
  pdf.paragraphs(
    [
      `${words.evaluation} ${one.version}, ${show.time(one.evaluatedAt)}: ${show.translateCode('outcome', one.outcome)}, ` +
        `${words.score} ${one.score ?? words.unknown}, ${words.composition} ${show.translateCode('composition', one.composition)}, ` +
        `${defensible}${against === '' ? '' : ` (${against})`}. ` +
        `${one.ruleset ?? ''} ${words.receipt} ${one.receiptHash.slice(0, 16)}`,
      ...(terms.length > 0 ? [terms.join('. ')] : []),
    ],
    DIM,
  );
  if (one.reasons.length === 0) {
    pdf.paragraph(words.noReasons, DIM);
    return;
  }
  pdf.list(
    one.reasons.map((reason) => {
      const text = `${reason.message[show.language]} (${reason.ruleId} v${reason.version}, ${reason.points} ${words.points})`;
      return reason.legalBasis.length > 0
        ? ([text, reason.legalBasis.join('; ')] as const)
        : ([text] as const);
    }),
    { size: 8, indent: 16 },
  );
}
