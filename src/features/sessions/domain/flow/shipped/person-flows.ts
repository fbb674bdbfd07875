import type { AcceptedDocument, FlowDefinition, FlowStep, LocalisedFlowText, FlowOption } from '../flow.js';
import { birthDate, cpf, name, localisedText } from './parts.js';

const option = (value: string, label: LocalisedFlowText): FlowOption => ({ value, label });

const identityDocuments: readonly AcceptedDocument[] = [
  {
    type: 'CNH',
    label: localisedText(
      'CNH (carteira de motorista)',
      'Driving licence (CNH)',
      'Licencia de conducir (CNH)',
    ),
    sides: ['FRONT', 'BACK'],
  },
  {
    type: 'RG',
    label: localisedText(
      'RG ou nova carteira de identidade',
      'Identity card (RG)',
      'Documento de identidad (RG)',
    ),
    sides: ['FRONT', 'BACK'],
  },
  { type: 'PASSPORT', label: localisedText('Passaporte', 'Passport', 'Pasaporte'), sides: ['FRONT'] },
  {
    type: 'RNM',
    label: localisedText(
      'RNM (registro migratório)',
      'Migration register (RNM)',
      'Registro migratorio (RNM)',
    ),
    sides: ['FRONT', 'BACK'],
  },
];

const addressDocuments: readonly AcceptedDocument[] = [
  {
    type: 'UTILITY_BILL',
    label: localisedText(
      'Conta de água, luz, gás ou telefone',
      'Water, power, gas or telephone bill',
      'Factura de agua, luz, gas o teléfono',
    ),
    sides: ['FRONT'],
  },
  {
    type: 'BANK_STATEMENT',
    label: localisedText('Extrato bancário', 'Bank statement', 'Extracto bancario'),
    sides: ['FRONT'],
  },
  {
    type: 'TAX_NOTICE',
    label: localisedText('IPTU ou imposto', 'Tax notice', 'Aviso de impuestos'),
    sides: ['FRONT'],
  },
];

const notice: FlowStep = {
  id: 'privacy',
  type: 'CONSENT',
  title: localisedText('Seus dados', 'Your data', 'Sus datos'),
  required: true,
  noticeVersion: '2026-11-01',
  // The legal basis is a duty and fraud prevention, not consent: the step only records that the notice was read.
  text: localisedText(
    'Para confirmar a sua identidade precisamos dos seus dados, de uma foto do seu documento e de uma foto sua. A lei nos ' +
      'obriga a fazer isso e a guardar os registros. Os dados são usados para a identificação e a prevenção de fraudes, ' +
      'e você pode pedir a revisão de decisões automatizadas.',
    'To confirm your identity we need your data, a photo of your document and a photo of you. The law requires us to do ' +
      'this and to keep the records. The data is used to identify you and to prevent fraud, and you may ask for a review ' +
      'of automated decisions.',
    'Para confirmar su identidad necesitamos sus datos, una foto de su documento y una foto suya. La ley nos obliga a ' +
      'hacerlo y a conservar los registros. Los datos se usan para identificarle y prevenir el fraude, y usted puede ' +
      'pedir la revisión de decisiones automatizadas.',
  ),
};

const selfie: FlowStep = {
  id: 'selfie',
  type: 'SELFIE',
  title: localisedText('Foto do seu rosto', 'Photo of your face', 'Foto de su rostro'),
  required: true,
};

const document: FlowStep = {
  id: 'document',
  type: 'DOCUMENT_CAPTURE',
  title: localisedText('Documento de identidade', 'Identity document', 'Documento de identidad'),
  required: true,
  acceptedDocuments: identityDocuments,
};

const pep: FlowStep = {
  id: 'pep',
  type: 'QUESTIONNAIRE',
  title: localisedText(
    'Pessoa politicamente exposta',
    'Politically exposed person',
    'Persona expuesta políticamente',
  ),
  required: true,
  questions: [
    {
      id: 'pepSelf',
      type: 'BOOLEAN',
      label: localisedText(
        'Você ocupa ou ocupou, nos últimos cinco anos, um cargo ou função pública relevante?',
        'Do you hold, or have you held in the last five years, a relevant public office?',
        '¿Ocupa o ha ocupado, en los últimos cinco años, un cargo público relevante?',
      ),
      required: true,
    },
    {
      id: 'pepRelated',
      type: 'BOOLEAN',
      label: localisedText(
        'Você é parente, representante ou colaborador próximo de alguém nessa situação?',
        'Are you a relative, representative or close associate of somebody who does?',
        '¿Es familiar, representante o colaborador cercano de alguien en esa situación?',
      ),
      required: true,
    },
    {
      id: 'pepOffice',
      type: 'TEXT',
      label: localisedText(
        'Qual cargo e em qual órgão?',
        'Which office, and where?',
        '¿Qué cargo y en qué organismo?',
      ),
      required: true,
      maxLength: 200,
      showIf: { answer: 'pepSelf', equals: true },
    },
    {
      id: 'pepRelation',
      type: 'SINGLE_CHOICE',
      label: localisedText('Qual é o vínculo?', 'What is the relation?', '¿Cuál es el vínculo?'),
      required: true,
      options: [
        option('FAMILY', localisedText('Familiar', 'Family', 'Familiar')),
        option('REPRESENTATIVE', localisedText('Representante', 'Representative', 'Representante')),
        option('ASSOCIATE', localisedText('Colaborador próximo', 'Close associate', 'Colaborador cercano')),
      ],
      showIf: { answer: 'pepRelated', equals: true },
    },
  ],
};

/** Onboarding of a natural person, when a relationship begins. */
export const onboardingPf: FlowDefinition = {
  name: localisedText(
    'Cadastro de pessoa física',
    'Onboarding of a natural person',
    'Registro de persona física',
  ),
  expiresInMinutes: 24 * 60,
  minimumAge: 18,
  steps: [
    notice,
    {
      id: 'person',
      type: 'DATA_FORM',
      title: localisedText('Dados pessoais', 'Personal data', 'Datos personales'),
      required: true,
      fields: [
        name,
        cpf,
        birthDate,
        {
          id: 'email',
          type: 'EMAIL',
          label: localisedText('E-mail', 'E-mail', 'Correo electrónico'),
          required: false,
        },
        {
          id: 'phone',
          type: 'PHONE',
          label: localisedText('Celular', 'Mobile phone', 'Teléfono móvil'),
          required: false,
        },
        {
          id: 'monthlyIncome',
          type: 'AMOUNT',
          label: localisedText('Renda mensal (R$)', 'Monthly income (BRL)', 'Ingreso mensual (BRL)'),
          required: false,
        },
      ],
    },
    pep,
    document,
    selfie,
    {
      id: 'address',
      type: 'PROOF_OF_ADDRESS',
      title: localisedText('Comprovante de endereço', 'Proof of address', 'Comprobante de domicilio'),
      required: false,
      acceptedDocuments: addressDocuments,
    },
  ],
  requiredChecks: [
    'TAX_ID',
    'PROFILE',
    'AGE',
    'PEP_DECLARATION',
    'LISTS',
    'DOCUMENT_QUALITY',
    'DUPLICATE_ARTIFACT',
    'DOCUMENT',
    'FACE_MATCH',
    'LIVENESS',
  ],
};

/** The flow for a transaction that needs more evidence. Its texts do not give the reason. */
export const stepUp: FlowDefinition = {
  name: localisedText('Confirmação de identidade', 'Identity confirmation', 'Confirmación de identidad'),
  expiresInMinutes: 30,
  minimumAge: 18,
  steps: [
    notice,
    {
      id: 'person',
      type: 'DATA_FORM',
      title: localisedText('Confirme quem você é', 'Confirm who you are', 'Confirme quién es'),
      required: true,
      fields: [name, cpf, birthDate],
    },
    selfie,
  ],
  requiredChecks: ['TAX_ID', 'PROFILE', 'AGE', 'LISTS', 'DUPLICATE_ARTIFACT', 'FACE_MATCH', 'LIVENESS'],
};

/**
 * The smallest flow that allows a screening: a name, a CPF and an optional selfie. Without a selfie that a provider
 * verifies, a person reviews the result.
 */
export const minimal: FlowDefinition = {
  name: localisedText('Identificação', 'Identification', 'Identificación'),
  expiresInMinutes: 24 * 60,
  minimumAge: 0,
  steps: [
    {
      id: 'person',
      type: 'DATA_FORM',
      title: localisedText('Quem é você', 'Who you are', 'Quién es usted'),
      required: true,
      fields: [name, cpf],
    },
    { ...selfie, required: false },
  ],
  requiredChecks: ['TAX_ID', 'PROFILE', 'LISTS', 'LIVENESS'],
};
