import type { Texts } from './pt.js';

const MB = 1_048_576;

export const es: Texts = {
  languageName: 'Español',
  language: 'Idioma',
  pageTitle: 'Verificación de identidad',
  loading: 'Cargando…',
  progress: (at, of) => `Paso ${at} de ${of}`,
  optional: 'opcional',
  back: 'Volver',
  next: 'Continuar',
  skip: 'Omitir este paso',
  tryAgain: 'Intentar de nuevo',
  validUntil: (when) => `Este enlace vale hasta ${when}.`,
  timeLeft: (minutes) =>
    minutes <= 1
      ? 'Falta menos de 1 minuto para que venza este enlace.'
      : `Faltan ${minutes} minutos para que venza este enlace.`,
  kept: 'Puede detenerse y continuar con el mismo enlace: cada paso terminado queda guardado. Lo que escribe se ve solo en esta pestaña, hasta el envío.',
  saved:
    'Ya completó este paso. Por seguridad, las respuestas no se muestran de nuevo. Complételo solo si quiere cambiarlas.',
  phone: {
    title: 'Continuar en el celular',
    body: 'Apunte la cámara del celular al código. Los pasos terminados siguen terminados.',
    code: 'Código QR con el enlace de esta página',
  },
  offline: {
    banner: 'No hay conexión. Nada se perdió: continúe cuando vuelva internet.',
    back: 'La conexión volvió.',
  },
  errors: {
    title: (count) => (count === 1 ? 'Falta corregir 1 punto' : `Falta corregir ${count} puntos`),
    REQUIRED: 'Complete este campo.',
    REQUIRED_CHOICE: 'Elija una respuesta.',
    CONSENT_MISSING: 'Marque la casilla para continuar.',
    CPF: 'Revise el CPF: los números no coinciden.',
    CNPJ: 'Revise el CNPJ: los caracteres no coinciden.',
    DATE_INVALID: 'Escriba la fecha con día, mes y año, por ejemplo 27/03/1985.',
    DATE_IN_FUTURE: 'La fecha aún no llegó. Revise el año.',
    TOO_SHORT: 'Es demasiado corto.',
    TOO_LONG: 'Es demasiado largo.',
    EMAIL: 'Revise el correo. Tiene la forma nombre@ejemplo.com.',
    PHONE: 'Revise el teléfono. Incluya el código de área, por ejemplo (11) 91234-5678.',
    CEP: 'Revise el código postal (CEP). Tiene 8 números.',
    AMOUNT: 'Escriba solo el valor, por ejemplo 2500,00.',
    PATTERN_MISMATCH: 'Revise este campo.',
    VALUE_NOT_ALLOWED: 'Elija una de las opciones.',
    FILE_MISSING: (what) => `Falta enviar: ${what}.`,
    UPLOAD_RUNNING: 'Espere a que termine el envío.',
    UPLOAD_OPEN: 'Revise la foto y elija “Usar esta foto”, o tome otra.',
    DOCUMENT_MISSING: 'Elija el documento.',
  },
  hints: {
    DATE: 'Día, mes y año, por ejemplo 27/03/1985.',
    CPF: '11 números.',
    PHONE: 'Con código de área, por ejemplo (11) 91234-5678.',
    choose: 'Elija…',
    several: 'Marque todas las que correspondan.',
    yes: 'Sí',
    no: 'No',
  },
  consent: 'Leí y entendí.',
  document: {
    which: '¿Qué documento va a usar?',
    FRONT: 'Frente',
    BACK: 'Dorso',
    only: 'Foto del documento',
    intro:
      'Use el documento original, sin funda de plástico, con buena luz y sin reflejos. Deben verse las cuatro esquinas.',
  },
  address: {
    which: '¿Qué comprobante va a usar?',
    only: 'Comprobante',
    intro: 'Envíe una foto o un PDF. Su nombre, la dirección y la fecha deben ser legibles.',
  },
  selfie: {
    only: 'Foto del rostro',
    intro:
      'Póngase en un lugar claro, mire a la cámara y quítese los lentes oscuros, la gorra o la mascarilla.',
  },
  capture: {
    take: 'Tomar foto',
    choose: 'Elegir archivo',
    shoot: 'Fotografiar',
    cancel: 'Cancelar',
    camera: 'Imagen de la cámara',
    starting: 'Abriendo la cámara…',
    frameDocument: 'Ajuste el documento al marco.',
    frameSelfie: 'Ajuste el rostro al marco.',
    none: 'No encontramos una cámara en este navegador. Puede elegir un archivo.',
    denied:
      'No se pudo usar la cámara. Permita el acceso en la configuración del navegador o elija un archivo.',
    accepts: (types, bytes) => `${types}, hasta ${Math.floor(bytes / MB)} MB.`,
    preparing: 'Preparando el archivo…',
    check: '¿Está nítida y completa?',
    checkFile: '¿Es este el archivo?',
    preview: 'La foto, para revisar',
    file: (type, kilobytes) => `Archivo ${type}, ${kilobytes}`,
    use: 'Usar esta foto',
    useFile: 'Usar este archivo',
    again: 'Tomar otra',
    otherFile: 'Elegir otro',
    sending: 'Enviando',
    sent: 'Recibido',
    replace: 'Reemplazar',
    stopped: 'El envío se interrumpió. El archivo sigue aquí.',
    OFFLINE:
      'La conexión se cortó durante el envío. El archivo sigue aquí; el envío recomienza cuando vuelva internet.',
    UNAVAILABLE: 'El servicio no respondió. El archivo sigue aquí; intente de nuevo en unos instantes.',
    LIMITED: 'Muchos envíos en poco tiempo. Espere un minuto e intente de nuevo.',
    TYPE: 'Este tipo de archivo no sirve. Use JPEG, PNG, WebP o PDF.',
    UNREADABLE: 'No se pudo leer el archivo. Puede estar dañado o protegido con contraseña; elija otro.',
    TOO_LARGE: 'El archivo es demasiado grande. Elija uno menor.',
    TOO_MANY: 'Este enlace ya no acepta más archivos.',
    REFUSED: 'El archivo no pudo ser aceptado. Elija otro.',
  },
  summary: {
    title: 'Revisar y enviar',
    body: 'Está todo aquí. Revise los pasos y envíe; después del envío no se pueden cambiar las respuestas.',
    change: 'Revisar',
    done: 'Completo',
    skipped: 'Sin completar',
    send: 'Enviar',
    sending: 'Enviando…',
    failed: {
      OFFLINE:
        'La conexión se cortó antes de la confirmación. Sus respuestas siguen aquí. Intente de nuevo: nada se envía dos veces.',
      UNAVAILABLE:
        'El servicio no respondió. Sus respuestas siguen aquí; intente de nuevo en unos instantes.',
      LIMITED: 'Muchos intentos en poco tiempo. Espere un minuto e intente de nuevo.',
      REFUSED: 'Algo aún necesita corrección. Revise los pasos.',
    },
  },
  notices: {
    finished: {
      title: 'Recibimos sus datos',
      body: 'No hace falta hacer nada más aquí. Puede cerrar esta página.',
    },
    completed: {
      title: 'Verificación terminada',
      body: 'No hace falta hacer nada más. Puede cerrar esta página.',
    },
    expired: {
      title: 'Este enlace ya no vale',
      body: 'El plazo terminó o el pedido fue cancelado. Pida un nuevo enlace a quien le envió este.',
    },
    notFound: {
      title: 'Enlace no encontrado',
      body: 'Revise que la dirección esté completa, como en el mensaje que recibió, o pida un nuevo enlace.',
    },
    limited: {
      title: 'Demasiados intentos',
      body: (seconds) =>
        `Hubo muchos accesos desde esta red en poco tiempo. Intente de nuevo en ${seconds} segundos.`,
    },
    offline: {
      title: 'Sin conexión',
      body: 'No pudimos hablar con el servicio. Revise su conexión e intente de nuevo. Lo que completó sigue en esta pestaña.',
    },
    unavailable: {
      title: 'Servicio no disponible',
      body: 'El servicio no respondió. Intente de nuevo en unos minutos. Lo que completó sigue en esta pestaña.',
    },
  },
};
