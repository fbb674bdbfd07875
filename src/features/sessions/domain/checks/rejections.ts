import { table } from '../../../../platform/kernel/table.js';
import { textInLanguage, type FlowLanguage, type LocalisedFlowText } from '../flow/flow.js';

const texts: Readonly<Record<string, LocalisedFlowText>> = table({
  FILE_TYPE_UNSUPPORTED: {
    'pt-BR': 'Este tipo de arquivo não é aceito. Envie uma foto (JPEG, PNG, WebP) ou um PDF.',
    en: 'This type of file is not accepted. Send a photo (JPEG, PNG, WebP) or a PDF.',
    es: 'Este tipo de archivo no se acepta. Envíe una foto (JPEG, PNG, WebP) o un PDF.',
  },
  HEIC: {
    'pt-BR': 'Fotos HEIC não são aceitas. Envie a foto como JPEG.',
    en: 'HEIC photos are not accepted. Send the photo as JPEG.',
    es: 'No se aceptan fotos HEIC. Envíe la foto como JPEG.',
  },
  PICTURE_REQUIRED: {
    'pt-BR': 'Aqui é preciso uma foto (JPEG, PNG, WebP), não um PDF.',
    en: 'A photo (JPEG, PNG, WebP) is needed here, not a PDF.',
    es: 'Aquí se necesita una foto (JPEG, PNG, WebP), no un PDF.',
  },
  ENCRYPTED: {
    'pt-BR': 'O PDF está protegido com senha. Envie um sem senha, ou uma foto.',
    en: 'The PDF is protected with a password. Send one without, or a photo.',
    es: 'El PDF está protegido con contraseña. Envíe uno sin ella, o una foto.',
  },
  ACTIVE_CONTENT: {
    'pt-BR': 'O arquivo contém um programa ou uma ação. Imprima-o como PDF e envie o novo, ou uma foto.',
    en: 'The file holds a program or an action. Print it as PDF and send the new one, or a photo.',
    es: 'El archivo contiene un programa o una acción. Imprímalo como PDF y envíe el nuevo, o una foto.',
  },
  ATTACHMENTS: {
    'pt-BR': 'O PDF contém outros arquivos. Imprima-o como PDF e envie o novo, ou uma foto.',
    en: 'The PDF holds other files. Print it as PDF and send the new one, or a photo.',
    es: 'El PDF contiene otros archivos. Imprímalo como PDF y envíe el nuevo, o una foto.',
  },
  FILE_TOO_LARGE: {
    'pt-BR': 'O arquivo é grande demais. O limite é de 10 MB.',
    en: 'The file is too large. The limit is 10 MB.',
    es: 'El archivo es demasiado grande. El límite es de 10 MB.',
  },
  TOO_MANY_ARTIFACTS: {
    'pt-BR': 'Já foram enviados arquivos demais.',
    en: 'Too many files were sent already.',
    es: 'Ya se enviaron demasiados archivos.',
  },
  WRONG_SUBJECT: {
    'pt-BR': 'Esta foto não mostra o que se pede. Tire outra.',
    en: 'This photo does not show what is asked for. Take another one.',
    es: 'Esta foto no muestra lo que se pide. Tome otra.',
  },
  LOW_RESOLUTION: {
    'pt-BR': 'A foto é pequena demais. Chegue mais perto.',
    en: 'The photo is too small. Move closer.',
    es: 'La foto es demasiado pequeña. Acérquese.',
  },
  TOO_DARK: {
    'pt-BR': 'A foto está escura demais. Procure mais luz.',
    en: 'The photo is too dark. Find more light.',
    es: 'La foto está demasiado oscura. Busque más luz.',
  },
  LOW_CONTRAST: {
    'pt-BR': 'Não dá para distinguir nada na foto. Limpe a lente e tire outra.',
    en: 'Nothing can be told apart in the photo. Wipe the lens and take another one.',
    es: 'No se distingue nada en la foto. Limpie la lente y tome otra.',
  },
  BLURRED: {
    'pt-BR': 'A foto está tremida ou fora de foco. Segure firme e tire outra.',
    en: 'The photo is blurred. Hold still and take another one.',
    es: 'La foto está borrosa. Sujete firme y tome otra.',
  },
  GLARE: {
    'pt-BR': 'Um reflexo esconde parte do documento. Incline-o e tire outra.',
    en: 'A reflection hides part of the document. Tilt it and take another one.',
    es: 'Un reflejo tapa parte del documento. Inclínelo y tome otra.',
  },
  CUT_OFF: {
    'pt-BR': 'O documento está cortado. Mostre-o inteiro.',
    en: 'The document is cut off. Show all of it.',
    es: 'El documento está cortado. Muéstrelo entero.',
  },
});

const unreadable: LocalisedFlowText = {
  'pt-BR': 'O arquivo não pôde ser lido. Envie outro.',
  en: 'The file could not be read. Send another one.',
  es: 'No se pudo leer el archivo. Envíe otro.',
};

/** True if there is a text for this code. */
export const hasRejectionText = (code: string): boolean => Object.hasOwn(texts, code);

/** Returns the reason why a file was refused, in words for the person who sent it. */
export const rejectionText = (code: string, language: FlowLanguage): string =>
  textInLanguage(texts[code] ?? unreadable, language);
