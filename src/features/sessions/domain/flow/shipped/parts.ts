import type { FlowField, LocalisedFlowText } from '../flow.js';

export const localisedText = (pt: string, en: string, es: string): LocalisedFlowText => ({
  'pt-BR': pt,
  en,
  es,
});

export const name: FlowField = {
  id: 'name',
  type: 'TEXT',
  label: localisedText('Nome completo', 'Full name', 'Nombre completo'),
  help: localisedText(
    'Como está no seu documento.',
    'As it stands in your document.',
    'Como figura en su documento.',
  ),
  required: true,
  minLength: 3,
  maxLength: 200,
};

export const cpf: FlowField = {
  id: 'cpf',
  type: 'CPF',
  label: localisedText('CPF', 'CPF (Brazilian taxpayer number)', 'CPF (número de contribuyente)'),
  required: true,
};

export const birthDate: FlowField = {
  id: 'birthDate',
  type: 'DATE',
  label: localisedText('Data de nascimento', 'Date of birth', 'Fecha de nacimiento'),
  required: true,
};
