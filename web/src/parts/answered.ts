import { fieldAnswer, groupItems, tidied, visibleQuestions, type Drafts } from '../answers.js';
import type { Field, Question, Step } from '../api.js';
import type { StepAnswer, Answers } from '../conditions.js';
import { documentInUse, uploadKey, uploadsOf } from '../uploads/uploads.js';
import type { Language } from '../texts/language.js';
import type { Texts } from '../texts/pt.js';

/** An answer as the person reads it. */
export interface Answered {
  readonly label: string;
  readonly text: string;
}

/** Returns what will be sent for a step, as far as it was typed or chosen in this tab. */
export function answeredIn(
  step: Step,
  kept: { readonly drafts: Drafts; readonly received: readonly string[]; readonly answers: Answers },
  texts: Texts,
  language: Language,
): readonly Answered[] {
  const { drafts, received, answers } = kept;
  const ofFields = (fields: readonly Field[], from: Drafts): Answered[] =>
    fields.flatMap((field) => {
      const draft = from[field.id];
      if (typeof draft !== 'string' || fieldAnswer(field, draft) === undefined) return [];
      return [{ label: field.label, text: fieldText(field, draft, language) }];
    });
  const ofQuestions = visibleQuestions(step, answers, drafts)
    .map((question) => ({ label: question.label, text: questionText(question, drafts[question.id], texts) }))
    .filter(({ text }) => text !== '');
  const ofItems = (step.items ? groupItems(drafts[step.id]) : []).map((item, i) => ({
    label: `${step.items?.title ?? ''} ${i + 1}`,
    text: ofFields(step.items?.fields ?? [], item)
      .map(({ text }) => text)
      .join(', '),
  }));
  const document = documentInUse(step, received);
  const sides = uploadsOf(step, document)
    .filter((upload) => received.includes(uploadKey(upload)))
    .map(({ side }) => (side === null ? texts.capture.sent : texts.document[side]));
  const ofFiles = document && sides.length > 0 ? [{ label: document.label, text: sides.join(', ') }] : [];
  return [...ofFields(step.fields ?? [], drafts), ...ofQuestions, ...ofItems, ...ofFiles];
}

function fieldText(field: Field, draft: string, language: Language): string {
  if (field.type === 'SELECT') return field.options.find(({ value }) => value === draft)?.label ?? draft;
  if (field.type === 'COUNTRY') {
    return new Intl.DisplayNames([language], { type: 'region' }).of(draft) ?? draft;
  }
  return tidied(field, draft.trim());
}

function questionText({ options }: Question, draft: StepAnswer | undefined, { hints }: Texts): string {
  if (draft === undefined) return '';
  if (typeof draft === 'boolean') return draft ? hints.yes : hints.no;
  const labelOf = (one: unknown): string => options.find(({ value }) => value === one)?.label ?? String(one);
  return Array.isArray(draft) ? draft.map(labelOf).join(', ') : labelOf(draft);
}
