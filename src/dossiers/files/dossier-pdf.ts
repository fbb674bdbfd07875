import type { Writable } from 'node:stream';
import { dossierLabels } from '../data/dossier-labels.js';
import type {
  Dossier,
  DossierCaseView,
  DossierEvaluationView,
  DossierHitView,
  DossierPartyView,
  DossierTransactionView,
} from '../api/dossier.dto.js';
import type { Language } from '../domain/language.js';
import { PdfWriter } from '../../print/index.js';
import { RenderedText } from './rendered-text.js';

// Transactions between two looks at what waits for the receiver, and between two turns of everybody else.
const BETWEEN = 25;
const RED = '#a4161a';
const GREY = '#5b6672';

/** Writes a dossier as a printable PDF, page by page. Times are those of São Paulo, and say so. */
export async function writeDossierPdf(
  dossier: Dossier,
  { language, author, output }: { language: Language; author: string; output: Writable },
): Promise<void> {
  const words = dossierLabels[language];
  const { head } = dossier;
  const title = head.about === 'CUSTOMER' ? words.title : words.caseTitle;
  const show = new RenderedText(words, language);
  const pdf = new PdfWriter(
    {
      ...{ title, author, language, madeAt: new Date(head.generatedAt) },
      foot: `${head.id} | ${words.generatedAt} ${show.time(head.generatedAt)} | ${words.trail}: ${words[head.trail.status]}`,
      pageWord: words.page,
      ofWord: words.of,
    },
    output,
  );
  pdf.title(title);
  pdf.paragraph(words.confidential, { color: RED });
  pdf.gap(6);
  front(pdf, dossier, show);
  if (dossier.customer) customer(pdf, dossier.customer, show);
  pdf.heading(`${words.cases} (${dossier.cases.length})`);
  if (dossier.cases.length === 0) pdf.paragraph(words.none, { color: GREY });
  for (const one of dossier.cases) {
    reviewCase(pdf, one, show);
    await pdf.drain();
  }
  pdf.heading(`${words.hits} (${dossier.hits.length})`);
  if (dossier.hits.length === 0) pdf.paragraph(words.none, { color: GREY });
  for (const one of dossier.hits) hit(pdf, one, show);
  pdf.heading(`${words.communications} (${dossier.communications.length})`);
  if (dossier.communications.length === 0) pdf.paragraph(words.none, { color: GREY });
  for (const { id, kind, status, dueAt, filingNumber } of dossier.communications) {
    pdf.apart(`${id} | ${show.code(kind)} | ${show.code(status)}`, `${words.dueAt} ${show.time(dueAt)}`);
    if (filingNumber !== null) pdf.paragraph(`${words.filing}: ${filingNumber}`, { indent: 12 });
  }
  pdf.heading(`${words.sessions} (${dossier.sessions.length})`);
  if (dossier.sessions.length === 0) pdf.paragraph(words.none, { color: GREY });
  for (const one of dossier.sessions) {
    const result = [one.status, one.statusReason, one.outcome]
      .filter((part) => part !== null)
      .map((part) => show.code(part))
      .join(', ');
    pdf.apart(`${one.id} | ${one.flow} | ${one.trigger} | ${result}`, show.time(one.createdAt));
    if (one.composition !== null) {
      pdf.paragraph(
        `${words.score} ${one.score ?? words.unknown}, ${words.composition} ${show.composition(one.composition)}, ` +
          `${one.defensible === true ? words.defensible : words.notDefensible} ${one.nonDefensibleReasons.join(', ')}`,
        { size: 8, indent: 12, color: GREY },
      );
    }
  }
  pdf.heading(`${words.artifacts} (${dossier.artifacts.length})`);
  if (dossier.artifacts.length === 0) pdf.paragraph(words.none, { color: GREY });
  for (const { id, kind, side, mimeType, sizeBytes, receivedAt, sha256 } of dossier.artifacts) {
    pdf.apart(
      [id, kind, side, mimeType, `${show.number(sizeBytes)} B`].filter((part) => part !== null).join(' | '),
      show.time(receivedAt),
    );
    if (sha256 !== null) pdf.paragraph(`SHA-256 ${sha256}`, { size: 7.5, indent: 12, color: GREY });
  }
  pdf.heading(`${words.transactions} (${show.number(dossier.transactionCount)})`);
  if (dossier.transactionCount === 0) pdf.paragraph(words.none, { color: GREY });
  for await (const page of dossier.transactions()) {
    for (const [i, one] of page.entries()) {
      transaction(pdf, one, show);
      if (i % BETWEEN === 0) await pdf.drain();
    }
    await pdf.drain();
  }
  pdf.gap(10);
  pdf.paragraph(words.end, { color: GREY });
  await pdf.finish();
}

function front(pdf: PdfWriter, { head }: Dossier, show: RenderedText): void {
  const { words } = show;
  const { trail } = head;
  pdf.values([
    [words.subject, head.subjectId],
    [words.dossierId, head.id],
    [words.generatedAt, show.time(head.generatedAt)],
    [words.generatedBy, head.generatedBy],
    [words.auditReady, show.truth(head.auditReady)],
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

function customer(pdf: PdfWriter, one: NonNullable<Dossier['customer']>, show: RenderedText): void {
  const { words } = show;
  pdf.heading(words.customer);
  pdf.values([
    [words.name, show.or(one.name)],
    [words.document, show.or(one.documentMasked)],
    [words.externalCustomerId, show.or(one.externalCustomerId)],
    [words.birthDate, show.or(one.birthDate)],
    [words.nationalities, one.nationalities.length > 0 ? one.nationalities.join(', ') : words.unknown],
    [words.personType, one.personType === null ? words.unknown : show.kind(one.personType)],
    [words.assurance, `${one.assurance} (${one.identifiedBy})`],
    [words.identifiedAt, show.time(one.identifiedAt)],
    [words.riskLevel, show.code(one.riskLevel)],
    [words.legalHold, show.truth(one.legalHold)],
    ...(one.erased ? [[words.erased, words.yes] as const] : []),
  ]);
}

function reviewCase(pdf: PdfWriter, one: DossierCaseView, show: RenderedText): void {
  const { words } = show;
  pdf.subheading(`${one.id} | ${show.code(one.kind)} | ${show.code(one.status)}`);
  pdf.values([
    [words.openedAt, `${show.time(one.openedAt)}, ${words.openedBy.toLowerCase()} ${one.openedBy}`],
    [
      words.priority,
      `${one.priority} | ${words.riskScore}: ${one.riskScore ?? words.unknown} | ${words.linked}: ${one.transactions}`,
    ],
    [words.deadlines, `${show.time(one.selectionDeadline)}, ${show.time(one.analysisDeadline)}`],
    ...(one.resolution === null
      ? []
      : ([
          [words.decision, `${show.code(one.resolution)}, ${show.code(one.report)}`],
          [words.proposed, `${show.or(one.proposedBy)}, ${show.time(one.proposedAt)}`],
        ] as const)),
    ...(one.closedBy === null
      ? []
      : ([[words.closed, `${one.closedBy}, ${show.time(one.closedAt)}`]] as const)),
    ...(one.justification === null ? [] : ([[words.justification, one.justification]] as const)),
    ...(one.retainUntil === null ? [] : ([[words.retainUntil, one.retainUntil]] as const)),
    ...(one.reopenedFrom === null ? [] : ([[words.reopenedFrom, one.reopenedFrom]] as const)),
  ]);
  for (const note of one.notes) {
    pdf.paragraph(`${words.notes}: ${show.time(note.writtenAt)}, ${note.author}`, {
      color: GREY,
      indent: 12,
    });
    pdf.paragraph(note.text ?? words.erasedBody, { indent: 12 });
  }
  for (const { at, action, actor } of one.steps) {
    pdf.paragraph(`${show.time(at)} | ${action} | ${actor}`, { size: 8, color: GREY, indent: 12 });
  }
}

function hit(pdf: PdfWriter, one: DossierHitView, show: RenderedText): void {
  const { words } = show;
  pdf.subheading(`${one.id} | ${one.list} (${show.code(one.listKind)}) | ${show.code(one.status)}`);
  pdf.values([
    [
      words.found,
      `${one.foundName ?? one.entry} | ${one.strength} | ${words.score} ${one.score.toFixed(2)} | ${show.time(one.foundAt)}`,
    ],
    [words.mandatory, show.truth(one.mandatory)],
    ...(one.decidedBy === null
      ? []
      : ([[words.decidedBy, `${one.decidedBy}, ${show.time(one.decidedAt)}`]] as const)),
    ...(one.justification === null ? [] : ([[words.justification, one.justification]] as const)),
  ]);
}

function transaction(pdf: PdfWriter, one: DossierTransactionView, show: RenderedText): void {
  const { words } = show;
  const last = one.evaluations.at(-1);
  const direction = one.direction === null ? '' : ` (${show.kind(one.direction)})`;
  pdf.gap(4);
  pdf.apart(
    `${show.time(one.occurredAt)}  ${one.type}${direction}  ${one.channel}`,
    show.amount(one.amount, one.currency),
    { bold: true },
  );
  const result = last
    ? `${show.code(last.outcome)} | ${words.score} ${last.score ?? words.unknown}`
    : show.code(one.status);
  pdf.apart(`${one.transactionId} | ${one.id}`, result, { size: 8, color: GREY });
  if (one.submissionState === 'OPEN') {
    pdf.paragraph(`${words.origin}: ${party(one.origin, show)}`, { size: 8, indent: 12 });
    pdf.paragraph(`${words.destination}: ${party(one.destination, show)}`, { size: 8, indent: 12 });
  } else {
    const text = one.submissionState === 'ERASED' ? words.erasedBody : words.brokenBody;
    pdf.paragraph(text, { size: 8, indent: 12, color: RED });
  }
  for (const evaluation of one.evaluations) evaluated(pdf, evaluation, show);
}

function party(one: DossierPartyView | null, show: RenderedText): string {
  const { words } = show;
  const parts = [
    one?.name,
    one?.documentMasked,
    one?.account ? `${words.account} ${one.account}` : null,
    one?.country,
  ].filter((part) => part !== null && part !== undefined);
  return parts.length > 0 ? parts.join(', ') : words.unknown;
}

function evaluated(pdf: PdfWriter, one: DossierEvaluationView, show: RenderedText): void {
  const { words } = show;
  const defensible = one.defensible ? words.defensible : words.notDefensible;
  pdf.paragraph(
    `${words.evaluation} ${one.version}, ${show.time(one.evaluatedAt)}: ${show.code(one.outcome)}, ${words.score} ${one.score ?? words.unknown}, ` +
      `${words.composition} ${show.composition(one.composition)}, ${defensible}${one.nonDefensibleReasons.length > 0 ? ` (${one.nonDefensibleReasons.join(', ')})` : ''}. ` +
      `${one.ruleset ?? ''} ${words.receipt} ${one.receiptHash.slice(0, 16)}`,
    { size: 8, indent: 12, color: GREY },
  );
  if (one.reasons.length === 0) pdf.paragraph(words.noReasons, { size: 8, indent: 20, color: GREY });
  for (const reason of one.reasons) {
    pdf.paragraph(
      `\u00b7 ${reason.ruleId} v${reason.version}, ${reason.points} ${words.points}: ${reason.message[show.language]}`,
      { size: 8, indent: 20 },
    );
    if (reason.legalBasis.length > 0) {
      pdf.paragraph(reason.legalBasis.join('; '), { size: 7.5, indent: 28, color: GREY });
    }
  }
}
