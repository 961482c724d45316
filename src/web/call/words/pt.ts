import type { CallWords } from './call-words.ts';

export const words: CallWords = {
  language: 'pt-BR',
  betweenSentences: ' ',
  afterTitle: '. ',

  call: 'Chamada',
  callWith: (name) => `Chamada com ${name}`,
  oneMoment: 'Um momento…',
  someAgent: 'O agente',
  aiLabel: 'Avatar de IA',
  talk: (name) => `Fale ou escreva, e ${name} responde cara a cara.`,
  cannotHear: (name) => `${name} não consegue ouvir você, mas lê o que você escreve.`,
  noMicrophone: 'Não é preciso microfone.',
  keepsTranscript: (name) => `O operador de ${name} guarda uma transcrição da chamada.`,
  mayLook: (name) =>
    `Enquanto sua câmera estiver ligada, ${name} pode olhar a imagem quando você fala ou escreve. As imagens são enviadas ao modelo de linguagem do agente. Este serviço não as guarda.`,
  startCall: 'Ligar',

  status: {
    returning: 'Voltando à sua chamada',
    asking: 'Chamando',
    joining: 'Conectando',
    coming: (name) => `${name} está entrando`,
    waiting: 'Aguardando uma linha livre',
    live: 'Ao vivo',
    away: (name) => `${name} está se reconectando`,
    rejoining: 'Conexão perdida. Reconectando…',
  },
  listening: 'Ouvindo',
  thinking: 'Pensando',
  isThinking: (name) => `${name} está pensando.`,
  linesBusy: 'Todas as linhas estão ocupadas',
  connectedWhenFree: 'Conectaremos você assim que uma linha ficar livre.',
  numberInLine: (position) => `Você é o número ${position} da fila.`,
  noVideo: 'Ainda sem vídeo',
  videoOf: (name) => `Vídeo de ${name}`,
  turnOnSound: 'Ativar o som',

  controls: 'Controles da chamada',
  mute: 'Silenciar',
  unmute: 'Ativar',
  cameraOff: 'Desligar câmera',
  cameraOn: 'Ligar câmera',
  canSee: (name) => `${name} pode ver você`,
  cannotSee: (name) => `${name} não consegue ver imagens nesta chamada. Sua câmera está desligada.`,
  chat: 'Chat',
  endCall: 'Encerrar',
  cancel: 'Cancelar',
  close: 'Fechar',
  talkTo: (name) => `Falar com ${name}`,
  backToCall: 'Voltar à chamada',

  you: 'Você',
  youWaiting: (name) => `Você · será enviado quando ${name} puder ler`,
  conversation: 'Conversa',
  transcript: 'Transcrição',
  conversationHint: 'A conversa aparece aqui.',
  message: (name) => `Mensagem para ${name}`,
  send: 'Enviar',
  hideNotice: 'Ocultar este aviso',
  ignored: {
    too_fast:
      'Sua última mensagem não foi entregue, porque você enviou muitas em um minuto. Espere um momento e envie-a de novo.',
    too_often:
      'Sua última mensagem não foi entregue, porque você enviou muitas nos últimos dez minutos. Espere alguns minutos e envie-a de novo.',
    too_many:
      'Sua última mensagem não foi entregue, porque esta chamada atingiu o limite de mensagens.',
    incomplete: 'Sua última mensagem não foi entregue. Envie-a de novo.',
  },
  deviceProblems: {
    microphone: {
      denied:
        'Seu microfone está bloqueado nesta página. Permita-o ao lado da barra de endereços e ative-o de novo.',
      missing: 'Nenhum microfone foi encontrado. Conecte um e ative-o de novo.',
      in_use: 'Não foi possível abrir o microfone. Talvez outro programa o esteja usando.',
      not_secure: 'Os navegadores só permitem o microfone em páginas https.',
      failed: 'Não foi possível abrir o microfone. Ative-o de novo.',
    },
    camera: {
      denied:
        'Sua câmera está bloqueada nesta página. Permita-a ao lado da barra de endereços e ligue-a de novo.',
      missing: 'Nenhuma câmera foi encontrada. Conecte uma e ligue-a de novo.',
      in_use: 'Não foi possível abrir a câmera. Talvez outro programa a esteja usando.',
      not_secure: 'Os navegadores só permitem a câmera em páginas https.',
      failed: 'Não foi possível abrir a câmera. Ligue-a de novo.',
    },
  },

  ended: 'A chamada terminou.',
  endings: {
    elsewhere: () => 'A chamada continua em outra janela.',
    left: () => 'Você saiu da chamada.',
    ended_by_client: () => 'A chamada foi encerrada.',
    room_empty: () => 'A chamada terminou por causa de uma ausência longa demais.',
    agent_left: (name) => `${name} saiu da chamada.`,
    time_limit: (name) => `A chamada atingiu o tempo máximo de ${name}.`,
    budget_reached: (name) => `${name} não tem mais tempo para esta chamada.`,
    worker_lost: (name) => `A máquina de ${name} falhou, e nenhuma outra estava livre.`,
    service_stopped: () => 'A chamada terminou porque o serviço foi interrompido.',
    never_started: (name) => `${name} não entrou na chamada.`,
    room_closed: () => 'O servidor de mídia fechou a sala.',
  },
  callAgain: (name) => `Ligar de novo para ${name}`,
  downloadTranscript: 'Baixar a transcrição',
  copyTranscript: 'Copiar a transcrição',
  copied: 'Copiada',
  notCopied: 'Não foi copiada',
  transcriptHead: (name, when) => `Chamada com ${name} (um avatar de IA), encerrada em ${when}`,
  rating: {
    question: 'Como foi a chamada?',
    good: 'Boa',
    bad: 'Ruim',
    whatWasGood: 'Do que você gostou? (opcional)',
    whatToImprove: 'O que poderia melhorar? (opcional)',
    thanks: 'Obrigado.',
    thanksForWords: 'Obrigado. Seu comentário foi enviado.',
    failed: 'Não foi possível salvar. Tente de novo, por favor.',
  },

  refusals: {
    not_found: () => [
      'Agente não encontrado',
      'O link pode estar escrito errado, ou o agente foi removido.',
    ],
    private: () => [
      'Esta chamada precisa de um link válido',
      'O link pode estar incompleto ou ter expirado. Peça um novo.',
    ],
    full: () => ['Todas as linhas estão ocupadas', 'Tente de novo em alguns minutos.'],
    too_often: () => ['Chamadas demais', 'Sua rede iniciou chamadas demais na última hora.'],
    used_up: (name) => [
      `${name} não está atendendo chamadas no momento`,
      'O limite de custo das chamadas foi atingido.',
    ],
    unreachable: (name) => [
      `Não foi possível contatar ${name}`,
      'O serviço não responde. Verifique sua conexão e tente de novo.',
    ],
    not_allowed: () => [
      'Esta chamada não está disponível aqui',
      'Fale com o responsável por esta página.',
    ],
    no_media: (name) => [
      `Não foi possível conectar a ${name}`,
      'Áudio e vídeo usam uma conexão separada, e o servidor de mídia não responde. Um firewall pode estar bloqueando a conexão.',
    ],
    failed: (name) => [`${name} não está disponível`, 'Algo deu errado. Tente de novo.'],
  },
  localFirefox:
    'O Firefox não se conecta a um servidor de mídia na própria máquina. Use outro navegador, ou defina media.peerconnection.ice.loopback como true em about:config.',
  tryAgain: 'Tentar de novo',
  tryAgainWhen: (when) => `Tente de novo ${when}.`,
};
