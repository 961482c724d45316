import { words as callWords } from '../../call/words/pt.ts';
import type { RoomWords } from './room-words.ts';

export const words: RoomWords = {
  ...callWords,

  pictureOf: (name) => `Foto de ${name}`,
  yourName: 'Seu nome',
  optional: '(opcional)',
  join: 'Entrar',
  typeOnly: (name) => `Escreva, e ${name} responde cara a cara.`,
  dictateInstead:
    'Para usar a voz, pressione “Ditar” durante a chamada: o navegador transforma sua fala em texto.',
  microphone: 'Microfone',
  camera: 'Câmera',
  speaker: 'Alto-falante',
  onWhenYouJoin: 'Ligado ao entrar',
  onWhileHeld: 'Ligado enquanto você segura o botão',
  offType: 'Desligado. Você pode escrever.',
  youCanType: 'Você também pode escrever.',
  testIt: 'Testar',
  chooseMicrophone: 'Escolher um microfone',
  showCamera: (name) => `Mostrar minha câmera a ${name}`,
  chooseCamera: 'Escolher uma câmera',

  settings: 'Ajustes',
  leave: 'Sair',
  captions: 'Legendas',
  captionSize: 'Tamanho das legendas',
  captionSizes: { normal: 'Normal', large: 'Grande', largest: 'Muito grande' },
  fullScreen: 'Tela cheia',
  leaveFullScreen: 'Sair da tela cheia',
  pushToTalk: 'Apertar para falar',
  pushToTalkMeans: 'Você é ouvido enquanto segura a barra de espaço ou o botão do microfone.',
  holdToTalk: 'Segure para falar',
  talking: 'Microfone ligado',

  stopWaiting: 'Parar de esperar',
  nextTry: (when) => `Próxima tentativa ${when}.`,
  tryingAgain: 'Tentando de novo.',
  triedSoFar: (times) => `${times} tentativas até agora.`,
  cannotHearNow: (name) =>
    `${name} não consegue ouvir você nesta chamada, mas lê o que você escreve.`,
  nothingWasSaid: 'Nada foi dito.',

  dictation: {
    start: 'Ditar',
    stop: 'Parar de ditar',
    about: 'O navegador transforma sua fala em texto. Alguns navegadores a enviam ao fabricante.',
    blocked: 'Seu microfone está bloqueado nesta página.',
    notAllowed: 'O navegador não permite ditar nesta página.',
    noSpeech: 'Nenhuma fala foi detectada.',
    noMicrophone: 'Nenhum microfone foi encontrado.',
    network: 'O navegador não conseguiu acessar seu serviço de reconhecimento de voz.',
    failed: 'O ditado falhou. Tente de novo.',
  },
};
