import type { Schemas } from '../../api/client.js';
import type { Catalogue } from '../../texts/language.js';

const pt = {
  checks: 'O que foi conferido',
  required: 'obrigatório',
  answers: 'Respostas',
  masked: 'encoberto',
  notAnswered: 'sem resposta',
  files: 'Arquivos',
  view: 'Ver',
  rejected: (count: number) => (count === 1 ? '1 arquivo recusado' : `${count} arquivos recusados`),
  erased: 'Os dados desta pessoa foram apagados.',
  file: 'Arquivo da sessão',
  bigger: 'Maior',
  smaller: 'Menor',
  rotate: 'Girar',
  sharpness: 'Nitidez',
  blurred: 'parece borrado',
  glare: 'Reflexo',
  brightness: 'Brilho',
  codes: 'Códigos lidos',
  page: (page: number, pages: number) => `Página ${page} de ${pages}`,
  previous: 'Página anterior',
  next: 'Próxima página',
  download: 'Baixar o original',
  downloadHint: 'O arquivo vem como foi enviado. O motivo fica no registro de auditoria.',
  noPermission: 'Ver arquivos pede o segundo fator e um papel que o permita.',
  kinds: { DOCUMENT: 'Documento', SELFIE: 'Selfie', PROOF_OF_ADDRESS: 'Comprovante', ATTACHMENT: 'Anexo' },
  sides: { FRONT: 'frente', BACK: 'verso' },
};

const en: typeof pt = {
  checks: 'What was checked',
  required: 'required',
  answers: 'Answers',
  masked: 'masked',
  notAnswered: 'not answered',
  files: 'Files',
  view: 'View',
  rejected: (count) => (count === 1 ? '1 file not taken' : `${count} files not taken`),
  erased: 'The data of this person were erased.',
  file: 'File of the session',
  bigger: 'Larger',
  smaller: 'Smaller',
  rotate: 'Rotate',
  sharpness: 'Sharpness',
  blurred: 'looks blurred',
  glare: 'Glare',
  brightness: 'Brightness',
  codes: 'Codes read',
  page: (page, pages) => `Page ${page} of ${pages}`,
  previous: 'Previous page',
  next: 'Next page',
  download: 'Download the original',
  downloadHint: 'The file comes as it was sent. The reason is kept in the audit log.',
  noPermission: 'Seeing files needs the second factor and a role that may.',
  kinds: {
    DOCUMENT: 'Document',
    SELFIE: 'Selfie',
    PROOF_OF_ADDRESS: 'Proof of address',
    ATTACHMENT: 'Attachment',
  },
  sides: { FRONT: 'front', BACK: 'back' },
};

export const texts: Catalogue<typeof pt> = { pt, en };

export type File = Schemas['EvidenceFileView'];
