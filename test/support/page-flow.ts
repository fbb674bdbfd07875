import { brFirst } from './br-first.js';

const say = (pt: string, en: string, es: string): object => ({ 'pt-BR': pt, en, es });

/** A flow with every kind of step and of input. */
export const EVERYTHING = {
  name: say('Cadastro de pessoa física', 'Onboarding of a natural person', 'Registro de persona física'),
  expiresInMinutes: 60,
  minimumAge: 18,
  steps: [
    {
      id: 'welcome',
      type: 'INFO',
      title: say('Antes de começar', 'Before you begin', 'Antes de comenzar'),
      required: false,
      text: say(
        'Leva cerca de cinco minutos. Tenha o seu documento à mão.',
        'It takes about five minutes. Have your document ready.',
        'Lleva unos cinco minutos. Tenga su documento a mano.',
      ),
    },
    {
      id: 'privacy',
      type: 'CONSENT',
      title: say('Seus dados', 'Your data', 'Sus datos'),
      required: true,
      noticeVersion: '2026-11-01',
      text: say(
        'Para confirmar a sua identidade precisamos dos seus dados, de uma foto do documento e de uma foto sua.',
        'To confirm your identity we need your data, a photo of your document and a photo of you.',
        'Para confirmar su identidad necesitamos sus datos, una foto del documento y una foto suya.',
      ),
    },
    {
      id: 'person',
      type: 'DATA_FORM',
      title: say('Dados pessoais', 'Personal data', 'Datos personales'),
      required: true,
      fields: [
        {
          id: 'name',
          type: 'TEXT',
          label: say('Nome completo', 'Full name', 'Nombre completo'),
          help: say('Como está no documento.', 'As in your document.', 'Como figura en el documento.'),
          required: true,
          minLength: 3,
          maxLength: 200,
        },
        { id: 'cpf', type: 'CPF', label: say('CPF', 'CPF', 'CPF'), required: true },
        {
          id: 'birthDate',
          type: 'DATE',
          label: say('Data de nascimento', 'Date of birth', 'Fecha de nacimiento'),
          required: true,
        },
        { id: 'email', type: 'EMAIL', label: say('E-mail', 'E-mail', 'Correo'), required: false },
        { id: 'phone', type: 'PHONE', label: say('Celular', 'Mobile phone', 'Celular'), required: false },
        { id: 'cep', type: 'CEP', label: say('CEP', 'Postal code', 'Código postal'), required: false },
        {
          id: 'birthCountry',
          type: 'COUNTRY',
          label: say('País de nascimento', 'Country of birth', 'País de nacimiento'),
          required: true,
        },
        {
          id: 'monthlyIncome',
          type: 'AMOUNT',
          label: say('Renda mensal (R$)', 'Monthly income (BRL)', 'Ingreso mensual (BRL)'),
          required: false,
        },
      ],
    },
    {
      id: 'pep',
      type: 'QUESTIONNAIRE',
      title: say(
        'Pessoa politicamente exposta',
        'Politically exposed person',
        'Persona expuesta políticamente',
      ),
      required: true,
      questions: [
        {
          id: 'pepSelf',
          type: 'BOOLEAN',
          label: say(
            'Você ocupa um cargo público relevante?',
            'Do you hold a public office?',
            '¿Ocupa un cargo público?',
          ),
          required: true,
        },
        {
          id: 'pepOffice',
          type: 'TEXT',
          label: say('Qual cargo?', 'Which office?', '¿Qué cargo?'),
          required: true,
          maxLength: 200,
          showIf: { answer: 'pepSelf', equals: true },
        },
        {
          id: 'income',
          type: 'MULTIPLE_CHOICE',
          label: say(
            'De onde vêm os seus recursos?',
            'Where does your money come from?',
            '¿De dónde viene su dinero?',
          ),
          required: true,
          options: [
            { value: 'SALARY', label: say('Salário', 'Salary', 'Salario') },
            { value: 'COMPANY', label: say('Empresa própria', 'Own company', 'Empresa propia') },
          ],
        },
      ],
    },
    {
      id: 'document',
      type: 'DOCUMENT_CAPTURE',
      title: say('Documento de identidade', 'Identity document', 'Documento de identidad'),
      required: true,
      acceptedDocuments: [
        {
          type: 'CNH',
          label: say('CNH', 'Driving licence', 'Licencia de conducir'),
          sides: ['FRONT', 'BACK'],
        },
        { type: 'PASSPORT', label: say('Passaporte', 'Passport', 'Pasaporte'), sides: ['FRONT'] },
      ],
    },
    {
      id: 'selfie',
      type: 'SELFIE',
      title: say('Foto do seu rosto', 'Photo of your face', 'Foto de su rostro'),
      required: true,
    },
    {
      id: 'address',
      type: 'PROOF_OF_ADDRESS',
      title: say('Comprovante de endereço', 'Proof of address', 'Comprobante de domicilio'),
      required: false,
      acceptedDocuments: [
        {
          type: 'UTILITY_BILL',
          label: say('Conta de luz', 'Power bill', 'Factura de luz'),
          sides: ['FRONT'],
        },
        {
          type: 'BANK_STATEMENT',
          label: say('Extrato bancário', 'Bank statement', 'Extracto'),
          sides: ['FRONT'],
        },
      ],
    },
  ],
  requiredChecks: ['TAX_ID'],
} as const;

/** Without files; the shortest thing that a person can finish. */
export const SHORT = {
  name: say('Confirmação', 'Confirmation', 'Confirmación'),
  expiresInMinutes: 60,
  minimumAge: 18,
  steps: [EVERYTHING.steps[1], EVERYTHING.steps[3]],
  requiredChecks: ['PEP_DECLARATION'],
};

const [, privacy, person, , , selfie] = EVERYTHING.steps;

/** The flow for a transaction that needs more evidence. */
export const STEP_UP = {
  name: say('Confirmação de identidade', 'Identity confirmation', 'Confirmación de identidad'),
  expiresInMinutes: 30,
  minimumAge: 18,
  steps: [privacy, { ...person, fields: person.fields.slice(0, 3) }, selfie],
  // No provider looks at pictures in the tests: what only they can tell is not asked for.
  requiredChecks: ['TAX_ID', 'PROFILE', 'AGE'],
};

/** A step-up without pictures. */
export const QUICK_FLOW = {
  name: { 'pt-BR': 'Confirmação' },
  expiresInMinutes: 30,
  minimumAge: 18,
  steps: [
    {
      id: 'person',
      type: 'DATA_FORM',
      title: { 'pt-BR': 'Você' },
      required: true,
      fields: [
        { id: 'name', type: 'TEXT', label: { 'pt-BR': 'Nome' }, required: true },
        { id: 'cpf', type: 'CPF', label: { 'pt-BR': 'CPF' }, required: true },
        { id: 'birthDate', type: 'DATE', label: { 'pt-BR': 'Nascimento' }, required: true },
      ],
    },
  ],
  requiredChecks: ['TAX_ID', 'PROFILE', 'AGE', 'LISTS'],
};

/** The first ruleset with one rule more, which asks for a session from an amount on. */
export function askingFrom(amount: number, flowKey: string): typeof brFirst {
  const [like] = brFirst.rules;
  if (!like) throw new Error('the first ruleset has no rules');
  return {
    ...brFirst,
    key: 'br-step',
    rules: [
      ...brFirst.rules,
      {
        ...like,
        key: 'ASKS-FOR-SESSION',
        parameters: {},
        evidence: [],
        when: `amount >= ${amount}`,
        score: { ...like.score, points: 10 },
        effect: { minOutcome: null, recommend: 'STEP_UP', reasonCode: 'ASKS' },
        message: { 'pt-BR': 'Valor', en: 'Amount' },
        actions: [
          {
            type: 'STEP_UP_SESSION',
            flowKey,
            onlyIfNoneWithin: 'PT12H',
            expiresIn: 'PT30M',
            expiresInAtNight: 'PT60M',
          },
        ],
      },
    ],
  };
}

const PHOTO_STEPS = {
  card: {
    type: 'DOCUMENT_CAPTURE',
    acceptedDocuments: [{ type: 'CARD', label: say('Cartão', 'Card', 'Tarjeta'), sides: ['FRONT'] }],
  },
  coded: {
    type: 'DOCUMENT_CAPTURE',
    acceptedDocuments: [{ type: 'CNH', label: say('CNH', 'CNH', 'CNH'), sides: ['BACK'] }],
  },
  sheet: {
    type: 'PROOF_OF_ADDRESS',
    acceptedDocuments: [{ type: 'SHEET', label: say('Folha', 'Sheet', 'Hoja'), sides: ['FRONT'] }],
  },
  face: { type: 'SELFIE' },
} as const;

/** One photo, and nothing else. */
export const photoFlow = (kind: keyof typeof PHOTO_STEPS): object => ({
  name: say('Uma foto', 'One photo', 'Una foto'),
  expiresInMinutes: 60,
  minimumAge: 18,
  steps: [
    { id: 'photo', title: say('A foto', 'The photo', 'La foto'), required: true, ...PHOTO_STEPS[kind] },
  ],
  requiredChecks: ['DUPLICATE_ARTIFACT'],
});
