import type { CallWords } from './call-words.ts';

export const words: CallWords = {
  language: 'es',
  betweenSentences: ' ',
  afterTitle: '. ',

  call: 'Llamada',
  callWith: (name) => `Llamada con ${name}`,
  oneMoment: 'Un momento…',
  someAgent: 'El agente',
  aiLabel: 'Avatar de IA',
  talk: (name) => `Hable o escriba, y ${name} le responderá cara a cara.`,
  cannotHear: (name) => `${name} no puede oírle, pero lee lo que usted escribe.`,
  noMicrophone: 'No necesita micrófono.',
  keepsTranscript: (name) => `El operador de ${name} conserva una transcripción de la llamada.`,
  mayLook: (name) =>
    `Mientras su cámara esté encendida, ${name} puede mirar la imagen cuando usted hable o escriba. Las imágenes se envían al modelo de lenguaje del agente. Este servicio no las guarda.`,
  startCall: 'Llamar',

  status: {
    returning: 'Volviendo a su llamada',
    asking: 'Llamando',
    joining: 'Conectando',
    coming: (name) => `${name} se está uniendo`,
    waiting: 'Esperando una línea libre',
    live: 'En directo',
    away: (name) => `${name} se está reconectando`,
    rejoining: 'Conexión perdida. Reconectando…',
  },
  listening: 'Escucha',
  thinking: 'Pensando',
  isThinking: (name) => `${name} está pensando.`,
  linesBusy: 'Todas las líneas están ocupadas',
  connectedWhenFree: 'Le conectaremos en cuanto haya una línea libre.',
  numberInLine: (position) => `Usted es el número ${position} de la cola.`,
  noVideo: 'Todavía no hay vídeo',
  videoOf: (name) => `Vídeo de ${name}`,
  turnOnSound: 'Activar el sonido',

  controls: 'Controles de la llamada',
  mute: 'Silenciar',
  unmute: 'Activar',
  cameraOff: 'Apagar cámara',
  cameraOn: 'Encender cámara',
  canSee: (name) => `${name} puede verle`,
  cannotSee: (name) => `${name} no puede ver imágenes en esta llamada. Su cámara está apagada.`,
  chat: 'Chat',
  endCall: 'Colgar',
  cancel: 'Cancelar',
  close: 'Cerrar',
  talkTo: (name) => `Hablar con ${name}`,
  backToCall: 'Volver a la llamada',

  you: 'Usted',
  youWaiting: (name) => `Usted · se enviará cuando ${name} esté disponible`,
  conversation: 'Conversación',
  transcript: 'Transcripción',
  conversationHint: 'La conversación aparecerá aquí.',
  message: (name) => `Mensaje para ${name}`,
  send: 'Enviar',
  hideNotice: 'Ocultar este aviso',
  ignored: {
    too_fast:
      'Su último mensaje no se entregó porque ha enviado demasiados en un minuto. Espere un momento y vuelva a enviarlo.',
    too_often:
      'Su último mensaje no se entregó porque ha enviado muchos en los últimos diez minutos. Espere unos minutos y vuelva a enviarlo.',
    too_many:
      'Su último mensaje no se entregó porque esta llamada ha alcanzado su límite de mensajes.',
    incomplete: 'Su último mensaje no se entregó. Vuelva a enviarlo.',
  },
  deviceProblems: {
    microphone: {
      denied:
        'Su micrófono está bloqueado en esta página. Permítalo junto a la barra de direcciones y vuelva a activarlo.',
      missing: 'No se ha encontrado ningún micrófono. Conecte uno y vuelva a activarlo.',
      in_use: 'No se ha podido abrir el micrófono. Puede que otro programa lo esté usando.',
      not_secure: 'Los navegadores solo permiten el micrófono en páginas https.',
      failed: 'No se ha podido abrir el micrófono. Vuelva a activarlo.',
    },
    camera: {
      denied:
        'Su cámara está bloqueada en esta página. Permítala junto a la barra de direcciones y vuelva a encenderla.',
      missing: 'No se ha encontrado ninguna cámara. Conecte una y vuelva a encenderla.',
      in_use: 'No se ha podido abrir la cámara. Puede que otro programa la esté usando.',
      not_secure: 'Los navegadores solo permiten la cámara en páginas https.',
      failed: 'No se ha podido abrir la cámara. Vuelva a encenderla.',
    },
  },

  ended: 'La llamada ha terminado.',
  endings: {
    elsewhere: () => 'La llamada continúa en otra ventana.',
    left: () => 'Ha salido de la llamada.',
    ended_by_client: () => 'La llamada se ha finalizado.',
    room_empty: () => 'La llamada ha terminado por una ausencia demasiado larga.',
    agent_left: (name) => `${name} ha salido de la llamada.`,
    time_limit: (name) => `La llamada ha alcanzado el tiempo máximo de ${name}.`,
    budget_reached: (name) => `${name} ya no dispone de más tiempo para esta llamada.`,
    worker_lost: (name) => `La máquina de ${name} ha fallado y no había ninguna otra libre.`,
    service_stopped: () => 'La llamada ha terminado porque se detuvo el servicio.',
    never_started: (name) => `${name} no se unió a la llamada.`,
    room_closed: () => 'El servidor multimedia ha cerrado la sala.',
  },
  callAgain: (name) => `Volver a llamar a ${name}`,
  downloadTranscript: 'Descargar la transcripción',
  copyTranscript: 'Copiar la transcripción',
  copied: 'Copiado',
  notCopied: 'No se ha copiado',
  transcriptHead: (name, when) => `Llamada con ${name} (un avatar de IA), finalizada el ${when}`,
  rating: {
    question: '¿Qué tal la llamada?',
    good: 'Bien',
    bad: 'Mal',
    whatWasGood: '¿Qué le ha gustado? (opcional)',
    whatToImprove: '¿Qué se podría mejorar? (opcional)',
    thanks: 'Gracias.',
    thanksForWords: 'Gracias. Su comentario se ha enviado.',
    failed: 'No se ha podido guardar. Inténtelo de nuevo.',
  },

  refusals: {
    not_found: () => [
      'Agente no encontrado',
      'Puede que el enlace esté mal escrito o que el agente se haya eliminado.',
    ],
    private: () => [
      'Esta llamada necesita un enlace válido',
      'Puede que el enlace esté incompleto o haya caducado. Pida uno nuevo.',
    ],
    full: () => ['Todas las líneas están ocupadas', 'Inténtelo de nuevo dentro de unos minutos.'],
    too_often: () => [
      'Demasiadas llamadas',
      'Desde su red se han iniciado demasiadas llamadas en la última hora.',
    ],
    used_up: (name) => [
      `${name} no atiende llamadas en este momento`,
      'Se ha alcanzado el límite de coste de las llamadas.',
    ],
    unreachable: (name) => [
      `No se puede contactar con ${name}`,
      'El servicio no responde. Compruebe su conexión e inténtelo de nuevo.',
    ],
    not_allowed: () => [
      'Esta llamada no está disponible aquí',
      'Consulte al propietario de esta página.',
    ],
    no_media: (name) => [
      `No se ha podido conectar con ${name}`,
      'El audio y el vídeo usan otra conexión, y el servidor multimedia no responde. Puede que un cortafuegos la bloquee.',
    ],
    failed: (name) => [`${name} no está disponible`, 'Algo ha fallado. Inténtelo de nuevo.'],
  },
  localFirefox:
    'Firefox no se conecta a un servidor multimedia en su propia máquina. Use otro navegador, o asigne true a media.peerconnection.ice.loopback en about:config.',
  tryAgain: 'Reintentar',
  tryAgainWhen: (when) => `Inténtelo de nuevo ${when}.`,
};
