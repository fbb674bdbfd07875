import type { NewList } from '../lists/screening-lists.service.js';

/** A demo list and the file that is imported into it. */
export interface SampleList {
  readonly list: NewList;
  readonly file: string;
}

const pep = `CPF;Nome_PEP;Sigla_Função;Descrição_Função;Nível_Função;Nome_Órgão;Data_Início_Exercício;Data_Fim_Exercício;Data_Fim_Carência
***.982.247-**;HELENA QUIRINO EXEMPLAR;PREF;PREFEITA;;MUN. DE VILA EXEMPLO-SP;01/01/2021;Não informada;Não informada
***.123.456-**;OTAVIO BENTO FICTÍCIO;VER;VEREADOR;;MUN. DE PORTO FICTÍCIO-RJ;01/01/2017;31/12/2020;31/12/2025
***.654.321-**;DULCE MARIA FIGURADA;SEC;SECRETÁRIA ESTADUAL;;ESTADO DO EXEMPLO;01/02/2019;31/12/2026;31/12/2031
`;

const debarred = `CADASTRO;CÓDIGO DA SANÇÃO;TIPO DE PESSOA;CPF OU CNPJ DO SANCIONADO;NOME DO SANCIONADO;RAZÃO SOCIAL - CADASTRO RECEITA;NOME FANTASIA - CADASTRO RECEITA;CATEGORIA DA SANÇÃO;DATA INÍCIO SANÇÃO;DATA FINAL SANÇÃO;ÓRGÃO SANCIONADOR
CEIS;900001;J;11222333000181;FICTICIA COMERCIO LTDA;FICTICIA COMERCIO LTDA;LOJA FICTICIA;Impedimento de licitar;01/02/2024;01/02/2030;Prefeitura de Vila Exemplo
CNEP;900002;J;16727230000197;EXEMPLAR SERVICOS SA;EXEMPLAR SERVICOS SA;;Multa;15/06/2025;15/06/2028;Estado do Exemplo
`;

const sanctions = `key;name;aliases;kind;birthDate;countries;remarks
fs-1;Zoltan Imaginarov;Zoltán Imaginárov|Золтан Имагинаров;PERSON;1961-05-04;;Programa fictício
fs-2;Abu Tamsil al-Wahmi;Abou Tamsil Alwahmi;PERSON;1974;;Programa fictício
fs-3;Frente Imaginária do Norte;FIN;ORGANISATION;;;Programa fictício
fs-4;Nonexistent Shipping Lines Ltd;NSL;ORGANISATION;;;Programa fictício
`;

const blocklist = `key;type;value;remarks
bl-1;ACCOUNT;0001/999999-9;conta de exemplo
bl-2;PIX_KEY;golpe@exemplo.invalid;chave de exemplo
bl-3;WALLET;bc1qexemploexemploexemploexemploexemplo0;carteira de exemplo
bl-4;DEVICE;dev-exemplo-bloqueado;aparelho de exemplo
bl-5;IP;203.0.113.0/24;rede de documentação (RFC 5737)
`;

/**
 * The lists that a demo is seeded with. Every person, company and number in them is made up. A real installation
 * imports the real lists.
 */
export const sampleLists: readonly SampleList[] = [
  {
    list: {
      key: 'sample-sanctions',
      name: 'Sanções (amostra fictícia)',
      kind: 'SANCTIONS',
      format: 'HOUSE_CSV',
      staleAfterDays: null,
    },
    file: sanctions,
  },
  {
    list: {
      key: 'sample-pep',
      name: 'Pessoas politicamente expostas (amostra fictícia)',
      kind: 'PEP',
      format: 'CGU_PEP_CSV',
      staleAfterDays: null,
    },
    file: pep,
  },
  {
    list: {
      key: 'sample-debarred',
      name: 'CEIS e CNEP (amostra fictícia)',
      kind: 'DEBARMENT',
      format: 'CEIS_CNEP_CSV',
      staleAfterDays: null,
    },
    file: debarred,
  },
  {
    list: {
      key: 'sample-blocklist',
      name: 'Lista interna de bloqueio (amostra fictícia)',
      kind: 'BLOCKLIST',
      format: 'HOUSE_CSV',
    },
    file: blocklist,
  },
];
