import type { FlowField, FlowDefinition } from '../flow.js';
import { birthDate, cpf, name, localisedText } from './parts.js';

/** Above this monthly revenue, in reais, the accounts are required. */
const ACCOUNTS_FROM = 1_000_000;

const share: FlowField = {
  id: 'share',
  type: 'PERCENT',
  label: localisedText('Participação (%)', 'Share (%)', 'Participación (%)'),
  required: true,
};

/** Onboarding of a legal person: its data, representatives, owners and documents. */
export const onboardingPj: FlowDefinition = {
  name: localisedText('Cadastro de empresa', 'Onboarding of a company', 'Registro de empresa'),
  subject: 'COMPANY',
  expiresInMinutes: 7 * 24 * 60,
  minimumAge: 18,
  steps: [
    {
      id: 'privacy',
      type: 'CONSENT',
      title: localisedText(
        'Dados da empresa e das pessoas',
        'Data of the company and its people',
        'Datos de la empresa',
      ),
      required: true,
      noticeVersion: '2026-11-01',
      // The legal basis is a duty, not consent: the step only records that the notice was read.
      text: localisedText(
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
      title: localisedText('Dados da empresa', 'Company data', 'Datos de la empresa'),
      required: true,
      fields: [
        {
          ...{ id: 'companyName', type: 'TEXT', required: true, minLength: 3, maxLength: 200 },
          label: localisedText('Razão social', 'Registered name', 'Razón social'),
        },
        {
          id: 'cnpj',
          type: 'CNPJ',
          label: localisedText('CNPJ', 'CNPJ (Brazilian company number)', 'CNPJ'),
          required: true,
        },
        {
          ...{ id: 'foundedOn', type: 'DATE', required: true },
          label: localisedText('Data de abertura', 'Date of foundation', 'Fecha de apertura'),
        },
        {
          ...{ id: 'monthlyRevenue', type: 'AMOUNT', required: true },
          label: localisedText(
            'Faturamento mensal (R$)',
            'Monthly revenue (BRL)',
            'Facturación mensual (BRL)',
          ),
        },
      ],
    },
    {
      id: 'representatives',
      type: 'REPEATED_GROUP',
      title: localisedText('Representantes', 'Representatives', 'Representantes'),
      itemTitle: localisedText('Representante', 'Representative', 'Representante'),
      required: true,
      min: 1,
      max: 10,
      fields: [name, cpf, birthDate],
      people: { as: 'REPRESENTATIVE' },
    },
    {
      id: 'owners',
      type: 'REPEATED_GROUP',
      title: localisedText('Sócios com mais de 25 %', 'Owners of more than 25 %', 'Socios con más del 25 %'),
      itemTitle: localisedText('Sócio', 'Owner', 'Socio'),
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
      title: localisedText('Documentos da empresa', 'Company documents', 'Documentos de la empresa'),
      required: true,
      acceptedDocuments: [
        {
          ...{ type: 'ARTICLES_OF_ASSOCIATION', sides: ['FRONT'] },
          label: localisedText(
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
      title: localisedText('Procuração', 'Power of attorney', 'Poder notarial'),
      required: false,
      acceptedDocuments: [
        {
          ...{ type: 'POWER_OF_ATTORNEY', sides: ['FRONT'] },
          label: localisedText('Procuração', 'Power of attorney', 'Poder notarial'),
        },
      ],
    },
    {
      id: 'accounts',
      type: 'DOCUMENT_CAPTURE',
      title: localisedText('Demonstrações financeiras', 'Financial statements', 'Estados financieros'),
      required: true,
      when: `answers.monthlyRevenue > ${ACCOUNTS_FROM}`,
      acceptedDocuments: [
        {
          ...{ type: 'FINANCIAL_STATEMENTS', sides: ['FRONT'] },
          label: localisedText(
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
