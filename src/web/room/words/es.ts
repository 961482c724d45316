import { words as callWords } from '../../call/words/es.ts';
import type { RoomWords } from './room-words.ts';

export const words: RoomWords = {
  ...callWords,

  pictureOf: (name) => `Foto de ${name}`,
  yourName: 'Su nombre',
  optional: '(opcional)',
  join: 'Entrar',
  typeOnly: (name) => `Escriba, y ${name} le responderá cara a cara.`,
  dictateInstead:
    'Para usar la voz, pulse «Dictar» durante la llamada: su navegador convierte lo que dice en texto.',
  microphone: 'Micrófono',
  camera: 'Cámara',
  speaker: 'Altavoz',
  onWhenYouJoin: 'Activado al entrar',
  onWhileHeld: 'Activado mientras mantenga pulsado el botón',
  offType: 'Desactivado. Puede escribir.',
  youCanType: 'También puede escribir.',
  testIt: 'Probar',
  chooseMicrophone: 'Elegir un micrófono',
  showCamera: (name) => `Mostrar mi cámara a ${name}`,
  chooseCamera: 'Elegir una cámara',

  settings: 'Ajustes',
  leave: 'Salir',
  captions: 'Subtítulos',
  captionSize: 'Tamaño de los subtítulos',
  captionSizes: { normal: 'Normal', large: 'Grande', largest: 'Muy grande' },
  fullScreen: 'Pantalla completa',
  leaveFullScreen: 'Salir de pantalla completa',
  pushToTalk: 'Pulsar para hablar',
  pushToTalkMeans:
    'Se le oye mientras mantiene pulsada la barra espaciadora o el botón del micrófono.',
  holdToTalk: 'Mantener para hablar',
  talking: 'Se le oye',

  stopWaiting: 'Dejar de esperar',
  nextTry: (when) => `Próximo intento ${when}.`,
  tryingAgain: 'Intentándolo de nuevo.',
  triedSoFar: (times) => `${times} intentos hasta ahora.`,
  cannotHearNow: (name) => `${name} no puede oírle en esta llamada, pero lee lo que usted escribe.`,
  nothingWasSaid: 'No se dijo nada.',

  dictation: {
    start: 'Dictar',
    stop: 'Dejar de dictar',
    about:
      'Su navegador convierte lo que dice en texto. Algunos navegadores lo envían a su fabricante.',
    blocked: 'Su micrófono está bloqueado en esta página.',
    notAllowed: 'Su navegador no permite dictar en esta página.',
    noSpeech: 'No se ha detectado ninguna voz.',
    noMicrophone: 'No se ha encontrado ningún micrófono.',
    network: 'Su navegador no ha podido contactar con su servicio de reconocimiento de voz.',
    failed: 'El dictado ha fallado. Inténtelo de nuevo.',
  },
};
