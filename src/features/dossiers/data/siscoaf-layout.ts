/**
 * The Siscoaf batch file as public programs of 2014 to 2018 write it. We have no official manual, and two of those programs
 * disagree about two names (`CodEnq` or `CodEng`, `DtAtuaCad` or `DtAtualCad`). Correct the names here, and only here, once
 * the current manual is available. Until then every file is marked as a draft.
 */
export const siscoafTags = {
  batch: 'LOTE',
  occurrences: 'OCORRENCIAS',
  batchId: 'ID',
  occurrence: 'OCORRENCIA',
  institutionTaxId: 'CPFCNPJCom',
  number: 'NumOcorrencia',
  from: 'DtInicio',
  to: 'DtFim',
  branchNumber: 'AgNum',
  branchName: 'AgNome',
  branchCity: 'AgMun',
  branchState: 'AgUF',
  credit: 'VlCred',
  debit: 'VlDeb',
  provision: 'VlProv',
  proposal: 'VlProp',
  details: 'Det',
  codes: 'ENQUADRAMENTOS',
  code: 'CodEnq',
  parties: 'ENVOLVIDOS',
  party: 'ENVOLVIDO',
  partyTaxId: 'CPFCNPJEnv',
  partyName: 'NmEnv',
  partyRole: 'TpEnv',
  partyBranchNumber: 'AgNumEnv',
  partyBranchName: 'AgNomeEnv',
  account: 'NumConta',
  accountOpenedOn: 'DtAbConta',
  profileUpdatedOn: 'DtAtuaCad',
  obliged: 'PObrigada',
  pep: 'PEP',
  publicServant: 'ServPub',
} as const;

/** The known limits of the format, lengths in characters. The lengths of free text are our own choice for now. */
export const siscoafLimits = {
  /** "≤ 1 MB" in the old manual. */
  bytes: 1_000_000,
  details: 8_000,
  name: 150,
  branchName: 60,
  branchNumber: 10,
  city: 60,
  account: 30,
} as const;

/** The first line of every file. */
export const DRAFT_NOTICE =
  'RASCUNHO / DRAFT: conferir com o manual vigente do Siscoaf antes de transmitir. Este arquivo nunca e transmitido pelo sistema.';

/** The roles of involved people: their numbers in Siscoaf, and their names in the files for investigators. */
export const partyRoles = {
  HOLDER: { number: 1, label: 'Titular' },
  RESPONSIBLE: { number: 2, label: 'Responsável' },
  DEPOSITOR: { number: 3, label: 'Depositante' },
  PARTNER: { number: 4, label: 'Sócio' },
  DIRECTOR: { number: 5, label: 'Gerente/Diretor' },
  DRAWER: { number: 6, label: 'Sacador' },
  ATTORNEY: { number: 7, label: 'Procurador' },
  OTHER: { number: 8, label: 'Outros' },
  BENEFICIARY: { number: 9, label: 'Beneficiário' },
  SENDER: { number: 19, label: 'Remetente' },
} as const;
export type SiscoafRole = keyof typeof partyRoles;

/** Siscoaf segment numbers of the financial system: suspicious operations (COS) and cash operations (COE). */
export const segments = { SUSPICION: 41, CASH: 42 } as const;
export type CommunicationKind = keyof typeof segments;

/** The columns of the three files that come with a RIF, the report of COAF to investigators. */
export const investigatorColumns = {
  communications: [
    'Indexador',
    'idComunicacao',
    'NumeroOcorrenciaBC',
    'Data_do_Recebimento',
    'Data_da_operacao',
    'DataFimFato',
    'cpfCnpjComunicante',
    'nomeComunicante',
    'CidadeAgencia',
    'UFAgencia',
    'NomeAgencia',
    'NumeroAgencia',
    'informacoesAdicionais',
    'CampoA',
    'CampoB',
    'CampoC',
    'CampoD',
    'CampoE',
    'CodigoSegmento',
  ],
  parties: [
    'Indexador',
    'cpfCnpjEnvolvido',
    'nomeEnvolvido',
    'tipoEnvolvido',
    'agenciaEnvolvido',
    'contaEnvolvido',
    'DataAberturaConta',
    'DataAtualizacaoConta',
    'bitPepCitado',
    'bitPessoaObrigadaCitado',
    'intServidorCitado',
  ],
  occurrences: ['Indexador', 'idOcorrencia', 'Ocorrencia'],
} as const;
