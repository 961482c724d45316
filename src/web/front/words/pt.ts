import type { FrontWords } from './front-words.ts';

export const words: FrontWords = {
  language: 'pt-BR',
  headline: 'Um rosto para o seu agente de voz.',
  lede: 'Seu agente fala, e o Troupe mostra uma pessoa falando, no ritmo da voz. Rosto, voz e servidor de mídia funcionam nesta máquina.',
  film: 'Gravação de um avatar que fala, sem som',
  pictureOf: (name) => `Foto de ${name}`,

  talkHeading: (name) => `Fale com ${name}.`,
  talkLede: 'Uma conversa cara a cara. Rosto, voz e servidor de mídia funcionam nesta máquina.',
  talkWith: (name) => `Falar com ${name}`,
  agent: 'Agente',
  noAgent: 'Esta conta ainda não tem um agente com quem falar.',
  createAgent: 'Criar um agente',
  tryAvatar: 'Experimentar um avatar',

  signIn: 'Entrar para falar',
  readHow: 'Ver como funciona',
  operator: ['Você administra este serviço? Abra o link exibido por ', '.'],
  linkSpent: 'Este link já foi usado ou é anterior ao último início. Use o mais recente.',
  adminPassword: 'Senha de administrador',
  open: 'Abrir',
  wrongPassword: 'A senha de administrador está incorreta.',

  unreachable: 'O serviço não responde',
  unreachableAdvice: 'Verifique sua conexão e tente de novo.',
  failed: 'Algo deu errado',
  failedAdvice: 'Tente de novo em alguns minutos.',
  tryAgain: 'Tentar de novo',
};
