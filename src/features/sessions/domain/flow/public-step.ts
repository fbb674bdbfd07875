import type { PublicField, PublicQuestion } from '../public-session.js';
import { textInLanguage, type FlowField, type FlowLanguage, type FlowQuestion } from './flow.js';

export const fieldView = (field: FlowField, language: FlowLanguage): PublicField => ({
  id: field.id,
  type: field.type,
  label: textInLanguage(field.label, language),
  help: field.help ? textInLanguage(field.help, language) : null,
  required: field.required,
  options: (field.options ?? []).map(({ value, label }) => ({
    value,
    label: textInLanguage(label, language),
  })),
  constraints: { minLength: field.minLength ?? null, maxLength: field.maxLength ?? null },
});

export const questionView = (question: FlowQuestion, language: FlowLanguage): PublicQuestion => ({
  id: question.id,
  type: question.type,
  label: textInLanguage(question.label, language),
  required: question.required,
  options: (question.options ?? []).map(({ value, label }) => ({
    value,
    label: textInLanguage(label, language),
  })),
  constraints: { minLength: null, maxLength: question.maxLength ?? null },
  showIf: question.showIf ?? null,
});
