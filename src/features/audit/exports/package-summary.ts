import type { Writable } from 'node:stream';
import { PdfWriter } from '../../../platform/print/index.js';
import type { ExportLanguage } from '../domain/export.js';
import type { PackageManifest } from '../domain/package-format.js';
import type { TrailSurveyResult } from '../trail/trail-survey.js';

export interface PackageSummarySource {
  readonly manifest: PackageManifest;
  readonly signedAt: Date;
  readonly keys: readonly string[];
  readonly actions: ReadonlyMap<string, number>;
  readonly survey: TrailSurveyResult;
}

const RED = '#a4161a';
const GREY = '#5b6672';
// Maximum number of printed gaps; trail-status.jsonl has all of them.
const MAX_PRINTED = 100;

/** Writes summary.pdf of a package: its content, the gaps that were found, and how to verify the package. */
export async function writePackageSummary(
  { manifest, signedAt, keys, actions, survey }: PackageSummarySource,
  language: ExportLanguage,
  output: Writable,
): Promise<void> {
  const words = WORDS[language];
  const number = new Intl.NumberFormat(language);
  const pdf = await PdfWriter.open(
    {
      title: words.title,
      author: manifest.origin,
      language,
      madeAt: new Date(manifest.madeAt),
      foot: `${words.title} | ${manifest.origin} | ${manifest.madeAt}`,
      pageWord: words.page,
      ofWord: words.of,
    },
    output,
  );
  pdf.title(words.title);
  const { filter } = manifest;
  pdf.values([
    [words.log, manifest.origin],
    [words.madeAt, manifest.madeAt],
    [words.requestedBy, manifest.requestedBy],
    [words.reason, manifest.reason],
    [
      words.scope,
      manifest.whole ? (manifest.missing === undefined ? words.whole : words.lacking) : words.selected,
    ],
    ...Object.entries(filter).map(([name, value]) => [`  ${name}`, value] as const),
    [words.entries, `${number.format(manifest.count)} / ${number.format(manifest.treeSize)}`],
    [words.root, manifest.root],
    [words.signedAt, signedAt.toISOString()],
    ...keys.map((key, i) => [i === 0 ? words.key : '', key] as const),
  ]);
  pdf.heading(words.trails);
  pdf.values([
    [words.subjects, number.format(survey.subjects)],
    [words.complete, number.format(survey.complete)],
    [words.attested, number.format(survey.attested)],
    [words.incomplete, number.format(survey.incomplete)],
    ...(survey.pruned > 0 ? [[words.pruned, number.format(survey.pruned)] as const] : []),
  ]);
  for (const { subject, status, gaps } of survey.notes.slice(0, MAX_PRINTED)) {
    pdf.paragraph(`${subject}: ${status}`, { color: gaps.length > 0 ? RED : GREY });
    for (const gap of gaps) {
      pdf.paragraph(`${gap.kind} ${gap.seq ?? ''} ${gap.detail}`, { indent: 12, size: 8 });
    }
    await pdf.drain();
  }
  pdf.heading(words.actions);
  for (const [action, count] of [...actions].sort(([a], [b]) => a.localeCompare(b))) {
    pdf.lineWithAside(action, number.format(count));
  }
  pdf.heading(words.check);
  for (const line of words.how) pdf.paragraph(line);
  await pdf.finish();
}

const WORDS = {
  'pt-BR': {
    title: 'Pacote de auditoria',
    page: 'Página',
    of: 'de',
    log: 'Registro',
    madeAt: 'Gerado em',
    requestedBy: 'Solicitado por',
    reason: 'Motivo',
    scope: 'Conteúdo',
    whole: 'o registro inteiro',
    lacking: 'o registro, ao qual faltam entradas: veja missing.jsonl',
    selected: 'entradas selecionadas',
    entries: 'Entradas',
    root: 'Raiz assinada',
    signedAt: 'Assinada em',
    key: 'Chave pública',
    trails: 'Trilhas',
    subjects: 'Trilhas verificadas',
    complete: 'Íntegras',
    attested: 'Com lacuna atestada',
    incomplete: 'Com lacuna',
    pruned: 'Eliminadas após o prazo de guarda',
    actions: 'Entradas por tipo',
    check: 'Como verificar',
    how: [
      'Use a chave que anotou antes, não a desta página: quem falsifica um pacote também escreve aqui a sua chave.',
      'node verify.mjs PACOTE.zip --pin CHAVE --anchor WEBHOOK.json',
      'python3 verify.py PACOTE.zip --pin CHAVE --anchor WEBHOOK.json',
      'Não é preciso rede nem confiar em quem gerou o pacote. Um webhook guardado mostra que nada foi cortado desde então.',
    ],
  },
  en: {
    title: 'Audit package',
    page: 'Page',
    of: 'of',
    log: 'Log',
    madeAt: 'Made at',
    requestedBy: 'Requested by',
    reason: 'Reason',
    scope: 'Content',
    whole: 'the whole log',
    lacking: 'the log, of which entries are not there: see missing.jsonl',
    selected: 'selected entries',
    entries: 'Entries',
    root: 'Signed root',
    signedAt: 'Signed at',
    key: 'Public key',
    trails: 'Trails',
    subjects: 'Trails judged',
    complete: 'Whole',
    attested: 'With an attested gap',
    incomplete: 'With a gap',
    pruned: 'Pruned after their time of keeping',
    actions: 'Entries by type',
    check: 'How to check it',
    how: [
      'Use the key that you noted before, not the one on this page: whoever forges a package writes a key here too.',
      'node verify.mjs PACKAGE.zip --pin KEY --anchor WEBHOOK.json',
      'python3 verify.py PACKAGE.zip --pin KEY --anchor WEBHOOK.json',
      'No network is needed, and no trust in who made it. A webhook that you kept shows that nothing was cut off since.',
    ],
  },
};
