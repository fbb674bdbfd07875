import { textIn, type Language, type Localised } from '../flow/flow.js';

const texts: Readonly<Record<string, Localised>> = {
  FILE_TYPE_UNSUPPORTED: {
    'pt-BR': 'Este tipo de arquivo não é aceito. Envie uma foto (JPEG, PNG, WebP) ou um PDF.',
    en: 'This type of file is not accepted. Send a photo (JPEG, PNG, WebP) or a PDF.',
    es: 'Este tipo de archivo no se acepta. Envíe una foto (JPEG, PNG, WebP) o un PDF.',
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
};

const unreadable: Localised = {
  'pt-BR': 'O arquivo não pôde ser lido. Envie outro.',
  en: 'The file could not be read. Send another one.',
  es: 'No se pudo leer el archivo. Envíe otro.',
};

/** Why a file was not taken, in words for whoever sent it. */
export const rejectionText = (code: string, language: Language): string =>
  textIn(texts[code] ?? unreadable, language);
