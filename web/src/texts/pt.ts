const MB = 1_048_576;

/** Everything that the page says by itself; the flow brings its own texts. Portuguese is what the others translate. */
export const pt = {
  languageName: 'Português',
  language: 'Idioma',
  pageTitle: 'Verificação de identidade',
  loading: 'Carregando…',
  intro: (who: string, what: string, minutes: number): string =>
    `${who || 'Quem enviou este link'} pede: ${what}. Leva cerca de ${minutes} ${minutes === 1 ? 'minuto' : 'minutos'}.`,
  progress: (at: number, of: number): string => `Etapa ${at} de ${of}`,
  optional: 'opcional',
  prefilled: {
    shown: 'Preenchido por quem enviou o link. Confira e corrija, se for preciso.',
    known: 'Já informado por quem enviou o link. Preencha só para corrigir.',
  },
  back: 'Voltar',
  next: 'Continuar',
  skip: 'Pular esta etapa',
  tryAgain: 'Tentar de novo',
  validUntil: (when: string): string => `Este link vale até ${when}.`,
  timeLeft: (minutes: number): string =>
    minutes <= 1
      ? 'Falta menos de 1 minuto para este link vencer.'
      : `Faltam ${minutes} minutos para este link vencer.`,
  kept: 'Você pode parar e continuar pelo mesmo link: cada etapa concluída fica salva. O que você digita aparece só nesta aba, até o envio.',
  saved:
    'Você já preencheu esta etapa. Por segurança, as respostas não aparecem de novo. Preencha só se quiser mudar.',
  phone: {
    title: 'Continuar no celular',
    body: 'Aponte a câmera do celular para o código. As etapas já concluídas continuam concluídas, e esta página acompanha o que você fizer no celular.',
    code: 'Código QR com o link desta página',
  },
  offline: {
    banner: 'Você está sem conexão. Nada se perdeu: continue quando a internet voltar.',
    back: 'A conexão voltou.',
  },
  errors: {
    title: (count: number): string =>
      count === 1 ? 'Falta corrigir 1 item' : `Falta corrigir ${count} itens`,
    REQUIRED: 'Preencha este campo.',
    REQUIRED_CHOICE: 'Escolha uma resposta.',
    CONSENT_MISSING: 'Marque a caixa para continuar.',
    CPF: 'Confira o CPF: os números não batem.',
    CNPJ: 'Confira o CNPJ: os caracteres não batem.',
    DATE_INVALID: 'Escreva a data com dia, mês e ano, por exemplo 27/03/1985.',
    DATE_UNKNOWN: 'Esta data não existe. Confira o dia e o mês.',
    DATE_IN_FUTURE: 'A data ainda não chegou. Confira o ano.',
    TOO_SHORT: 'Está curto demais. Confira se falta algo.',
    TOO_LONG: 'Está longo demais. Escreva com menos palavras.',
    EMAIL: 'Confira o e-mail. Ele tem a forma nome@exemplo.com.',
    PHONE: 'Confira o telefone. Inclua o DDD, por exemplo (11) 91234-5678.',
    CEP: 'Confira o CEP. Ele tem 8 números.',
    AMOUNT: 'Escreva só o valor, por exemplo 2500,00.',
    PERCENT: 'Escreva a porcentagem de 0 a 100, por exemplo 33,5.',
    PATTERN_MISMATCH: 'Confira este campo.',
    VALUE_NOT_ALLOWED: 'Escolha uma das opções.',
    FILE_MISSING: (what: string): string => `Falta enviar: ${what}.`,
    UPLOAD_RUNNING: 'Aguarde o fim do envio.',
    UPLOAD_OPEN: 'Confira a foto e escolha “Usar esta foto”, ou tire outra.',
    DOCUMENT_MISSING: 'Escolha o documento.',
  },
  hints: {
    DATE: 'Dia, mês e ano, por exemplo 27/03/1985.',
    CPF: '11 números.',
    PHONE: 'Com DDD, por exemplo (11) 91234-5678.',
    choose: 'Escolha…',
    several: 'Marque quantas quiser.',
    yes: 'Sim',
    no: 'Não',
  },
  group: {
    add: (title: string): string => `Acrescentar: ${title}`,
    remove: (title: string, place: number): string => `Remover: ${title} ${place}`,
  },
  code: {
    intro: {
      EMAIL: 'Vamos enviar um código para o e-mail que você informou.',
      SMS: 'Vamos enviar um código para o celular que você informou.',
    },
    send: 'Enviar código',
    again: 'Enviar outro código',
    sent: 'Código enviado. Ele vale por dez minutos.',
    failed: 'O código não pôde ser enviado. Espere um momento e tente de novo.',
    label: 'Código recebido',
    missing: 'Escreva o código.',
    wrong: 'O código não confere ou passou do tempo. Peça outro.',
  },
  consent: 'Li e entendi.',
  document: {
    which: 'Qual documento você vai usar?',
    FRONT: 'Frente',
    BACK: 'Verso',
    only: 'Foto do documento',
    intro:
      'Use o documento original, fora da capa de plástico, com boa luz e sem reflexos. Os quatro cantos precisam aparecer.',
  },
  address: {
    which: 'Qual comprovante você vai usar?',
    only: 'Comprovante',
    intro: 'Envie uma foto ou um PDF. Seu nome, o endereço e a data precisam estar legíveis.',
  },
  selfie: {
    only: 'Foto do rosto',
    intro: 'Fique em um lugar claro, olhe para a câmera e tire óculos escuros, boné ou máscara.',
  },
  capture: {
    take: 'Tirar foto',
    choose: 'Escolher arquivo',
    shoot: 'Fotografar',
    cancel: 'Cancelar',
    camera: 'Imagem da câmera',
    starting: 'Abrindo a câmera…',
    frames: {
      document: 'Encaixe o documento na moldura.',
      selfie: 'Encaixe o rosto na moldura.',
      page: 'Encaixe a página na moldura.',
    },
    live: {
      LIGHT: 'Procure mais luz.',
      GLARE: 'Há um reflexo. Incline um pouco.',
      WHOLE: 'Mostre o documento inteiro.',
      CLOSER: 'Chegue mais perto.',
      STILL: 'Segure firme.',
      HOLD: 'Ótimo. Não mexa: a foto sai sozinha.',
      GOOD: 'Ótimo. Pode fotografar.',
      CODE: 'Código lido.',
    },
    automatic: 'Automático',
    NONE: 'Não encontramos uma câmera neste navegador. Você pode escolher um arquivo.',
    BUSY: 'A câmera não respondeu. Feche outros programas que a usam e tente de novo, ou escolha um arquivo.',
    DENIED:
      'O navegador não deixou usar a câmera. Permita a câmera para este site, ao lado do endereço, e tente de novo. Ou escolha um arquivo.',
    accepts: (types: string, bytes: number): string => `${types}, até ${Math.floor(bytes / MB)} MB.`,
    preparing: 'Preparando o arquivo…',
    check: 'Está nítida e inteira?',
    checkBest: 'A foto ainda não ficou boa. Você pode enviar assim: uma pessoa vai conferir.',
    checkFile: 'É este o arquivo?',
    preview: 'A foto, para conferir',
    file: (type: string, kilobytes: string): string => `Arquivo ${type}, ${kilobytes}`,
    use: 'Usar esta foto',
    useFile: 'Usar este arquivo',
    again: 'Tirar outra',
    otherFile: 'Escolher outro',
    sending: 'Enviando',
    sent: 'Recebido',
    replace: 'Substituir',
    stopped: 'O envio foi interrompido. O arquivo continua aqui.',
    OFFLINE:
      'A conexão caiu durante o envio. O arquivo continua aqui; o envio recomeça quando a internet voltar.',
    UNAVAILABLE: 'O serviço não respondeu. O arquivo continua aqui; tente de novo em instantes.',
    LIMITED: 'Muitos envios em pouco tempo. Aguarde um minuto e tente de novo.',
    TYPE: 'Este tipo de arquivo não serve. Use JPEG, PNG, WebP ou PDF.',
    WRONG_SUBJECT: 'Esta foto não mostra o que se pede. Tire outra.',
    LOW_RESOLUTION:
      'A foto é pequena demais para ler. Use uma câmera melhor, como a do celular, ou um arquivo maior.',
    TOO_DARK: 'A foto está escura demais. Procure mais luz.',
    LOW_CONTRAST: 'Não dá para distinguir nada na foto. Limpe a lente e tire outra.',
    BLURRED: 'A foto está tremida ou fora de foco. Segure firme e tire outra.',
    GLARE: 'Um reflexo esconde parte do documento. Incline-o e tire outra.',
    CUT_OFF: 'O documento está cortado. Mostre-o inteiro.',
    UNREADABLE:
      'Não foi possível ler o arquivo. Ele pode estar danificado ou protegido por senha; escolha outro.',
    TOO_LARGE: 'O arquivo é grande demais. Escolha um menor.',
    TOO_MANY: 'O limite de arquivos deste link foi atingido.',
    REFUSED: 'O arquivo não pôde ser aceito. Escolha outro.',
  },
  summary: {
    title: 'Conferir e enviar',
    body: 'Está tudo aqui. Confira o que será enviado; depois do envio não é possível mudar as respostas.',
    change: 'Rever',
    done: 'Concluída',
    skipped: 'Não preenchida',
    elsewhere: 'Preenchida antes. Por segurança, as respostas não são mostradas de novo.',
    send: 'Enviar',
    sending: 'Enviando…',
    failed: {
      OFFLINE:
        'A conexão caiu antes da confirmação. Suas respostas continuam aqui. Tente de novo: nada é enviado em dobro.',
      UNAVAILABLE: 'O serviço não respondeu. Suas respostas continuam aqui; tente de novo em instantes.',
      LIMITED: 'Muitas tentativas em pouco tempo. Aguarde um minuto e tente de novo.',
      REFUSED: 'Algo ainda precisa de correção. Reveja as etapas.',
    },
  },
  testPerson: (name: string, cpf: string): string =>
    `Ambiente de testes: use o nome ${name} e o CPF ${cpf}. Qualquer foto serve, inclusive a mesma de antes.`,
  preview: 'Esta é uma prévia: nada do que for preenchido será guardado.',
  end: { protocol: 'Número do protocolo', back: 'Voltar ao site' },
  privacy: {
    title: 'Seus dados e seus direitos',
    controller: 'Quem decide sobre os dados',
    purposes: 'Para que são usados',
    retention: 'Por quanto tempo ficam guardados',
    biometrics: 'Fotos do rosto',
    officer: 'Encarregado pelos dados',
    help: 'Ajuda',
  },
  notices: {
    finished: {
      title: 'Recebemos seus dados',
      body: 'Não é preciso fazer mais nada aqui. Você pode fechar esta página.',
    },
    completed: {
      title: 'Recebemos seus dados',
      body: 'Não é preciso fazer mais nada aqui. Se for preciso olhar algo com mais calma, quem enviou este link avisa você.',
    },
    expired: {
      title: 'Este link não vale mais',
      body: 'O prazo terminou ou o pedido foi cancelado. Peça um novo link a quem enviou este.',
    },
    notFound: {
      title: 'Link não encontrado',
      body: 'Confira se o endereço está completo, como na mensagem que você recebeu, ou peça um novo link.',
    },
    limited: {
      title: 'Muitas tentativas',
      body: (seconds: number): string =>
        `Houve muitos acessos desta rede em pouco tempo. Tente de novo em ${seconds === 1 ? '1 segundo' : `${seconds} segundos`}.`,
    },
    offline: {
      title: 'Sem conexão',
      body: 'Não conseguimos falar com o serviço. Verifique a internet e tente de novo. O que você preencheu nesta aba continua aqui.',
    },
    unavailable: {
      title: 'Serviço indisponível',
      body: 'O serviço não respondeu. Tente de novo em alguns minutos. O que você preencheu nesta aba continua aqui.',
    },
  },
};

export type Texts = typeof pt;
