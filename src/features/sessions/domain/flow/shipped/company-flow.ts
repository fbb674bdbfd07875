import type { Field, FlowDefinition } from '../flow.js';
import { birthDate, cpf, name, localised } from './parts.js';

/** Above this monthly revenue, in reais, the accounts are required. */
const ACCOUNTS_FROM = 1_000_000;

const share: Field = {
  id: 'share',
  type: 'PERCENT',
  label: localised('Participação (%)', 'Share (%)', 'Participación (%)'),
  required: true,
};

/** Onboarding of a legal person: its data, representatives, owners and documents. */
export const onboardingPj: FlowDefinition = {
  name: localised('Cadastro de empresa', 'Onboarding of a company', 'Registro de empresa'),
  subject: 'COMPANY',
  expiresInMinutes: 7 * 24 * 60,
  minimumAge: 18,
  steps: [
    {
      id: 'privacy',
      type: 'CONSENT',
      title: localised(
        'Dados da empresa e das pessoas',
        'Data of the company and its people',
        'Datos de la empresa',
      ),
      required: true,
      noticeVersion: '2026-11-01',
      // The legal basis is a duty, not consent: the step only records that the notice was read.
      text: localised(
        'Para cadastrar a empresa precisamos dos seus dados e dos dados de sócios e representantes. A lei nos obriga a ' +
          'fazer isso e a guardar os registros. Quem preenche confirma que informou essas pessoas.',
        'To register the company we need its data and that of its owners and representatives. The law requires us to do ' +
          'this and to keep the records. Whoever fills this in confirms that these people were told.',
        'Para registrar la empresa necesitamos sus datos y los de sus socios y representantes. La ley nos obliga a ' +
          'hacerlo y a conservar los registros. Quien completa confirma que informó a esas personas.',
      ),
    },
    {
      id: 'company',
      type: 'DATA_FORM',
      title: localised('Dados da empresa', 'Company data', 'Datos de la empresa'),
      required: true,
      fields: [
        {
          ...{ id: 'companyName', type: 'TEXT', required: true, minLength: 3, maxLength: 200 },
          label: localised('Razão social', 'Registered name', 'Razón social'),
        },
        {
          id: 'cnpj',
          type: 'CNPJ',
          label: localised('CNPJ', 'CNPJ (Brazilian company number)', 'CNPJ'),
          required: true,
        },
        {
          ...{ id: 'foundedOn', type: 'DATE', required: true },
          label: localised('Data de abertura', 'Date of foundation', 'Fecha de apertura'),
        },
        {
          ...{ id: 'monthlyRevenue', type: 'AMOUNT', required: true },
          label: localised('Faturamento mensal (R$)', 'Monthly revenue (BRL)', 'Facturación mensual (BRL)'),
        },
      ],
    },
    {
      id: 'representatives',
      type: 'REPEATED_GROUP',
      title: localised('Representantes', 'Representatives', 'Representantes'),
      itemTitle: localised('Representante', 'Representative', 'Representante'),
      required: true,
      min: 1,
      max: 10,
      fields: [name, cpf, birthDate],
      people: { as: 'REPRESENTATIVE' },
    },
    {
      id: 'owners',
      type: 'REPEATED_GROUP',
      title: localised('Sócios com mais de 25 %', 'Owners of more than 25 %', 'Socios con más del 25 %'),
      itemTitle: localised('Sócio', 'Owner', 'Socio'),
      required: true,
      // A company may have no such owner; then a person reviews it.
      min: 0,
      max: 10,
      fields: [name, cpf, birthDate, share],
      people: { as: 'OWNER' },
    },
    {
      id: 'constitution',
      type: 'DOCUMENT_CAPTURE',
      title: localised('Documentos da empresa', 'Company documents', 'Documentos de la empresa'),
      required: true,
      acceptedDocuments: [
        {
          ...{ type: 'ARTICLES_OF_ASSOCIATION', sides: ['FRONT'] },
          label: localised(
            'Contrato ou estatuto social',
            'Articles of association',
            'Contrato o estatuto social',
          ),
        },
      ],
    },
    {
      id: 'mandate',
      type: 'DOCUMENT_CAPTURE',
      title: localised('Procuração', 'Power of attorney', 'Poder notarial'),
      required: false,
      acceptedDocuments: [
        {
          ...{ type: 'POWER_OF_ATTORNEY', sides: ['FRONT'] },
          label: localised('Procuração', 'Power of attorney', 'Poder notarial'),
        },
      ],
    },
    {
      id: 'accounts',
      type: 'DOCUMENT_CAPTURE',
      title: localised('Demonstrações financeiras', 'Financial statements', 'Estados financieros'),
      required: true,
      when: `answers.monthlyRevenue > ${ACCOUNTS_FROM}`,
      acceptedDocuments: [
        {
          ...{ type: 'FINANCIAL_STATEMENTS', sides: ['FRONT'] },
          label: localised(
            'Balanço ou demonstração de resultado',
            'Balance sheet',
            'Balance o estado de resultados',
          ),
        },
      ],
    },
  ],
  requiredChecks: ['TAX_ID', 'PROFILE', 'LISTS', 'OWNERS', 'RECEITA', 'DOCUMENT'],
};
