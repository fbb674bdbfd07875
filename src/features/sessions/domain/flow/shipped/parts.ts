import type { Field, Localised } from '../flow.js';

export const localised = (pt: string, en: string, es: string): Localised => ({ 'pt-BR': pt, en, es });

export const name: Field = {
  id: 'name',
  type: 'TEXT',
  label: localised('Nome completo', 'Full name', 'Nombre completo'),
  help: localised(
    'Como está no seu documento.',
    'As it stands in your document.',
    'Como figura en su documento.',
  ),
  required: true,
  minLength: 3,
  maxLength: 200,
};

export const cpf: Field = {
  id: 'cpf',
  type: 'CPF',
  label: localised('CPF', 'CPF (Brazilian taxpayer number)', 'CPF (número de contribuyente)'),
  required: true,
};

export const birthDate: Field = {
  id: 'birthDate',
  type: 'DATE',
  label: localised('Data de nascimento', 'Date of birth', 'Fecha de nacimiento'),
  required: true,
};
