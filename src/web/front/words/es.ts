import type { FrontWords } from './front-words.ts';

export const words: FrontWords = {
  language: 'es',
  headline: 'Un rostro para su agente de voz.',
  lede: 'Su agente habla y Troupe muestra a una persona que habla, al compás de la voz. El rostro, la voz y el servidor multimedia funcionan en esta máquina.',
  film: 'Grabación de un avatar que habla, sin sonido',
  pictureOf: (name) => `Foto de ${name}`,

  talkHeading: (name) => `Hable con ${name}.`,
  talkLede:
    'Una conversación cara a cara. El rostro, la voz y el servidor multimedia funcionan en esta máquina.',
  talkWith: (name) => `Hablar con ${name}`,
  agent: 'Agente',
  noAgent: 'Esta cuenta todavía no tiene ningún agente con quien hablar.',
  createAgent: 'Crear un agente',
  tryAvatar: 'Probar un avatar',

  signIn: 'Iniciar sesión para hablar',
  readHow: 'Ver cómo funciona',
  operator: ['¿Administra usted este servicio? Abra el enlace que mostró ', '.'],
  linkSpent: 'Este enlace ya se ha utilizado o es anterior al último inicio. Use el más reciente.',
  adminPassword: 'Contraseña de administrador',
  open: 'Abrir',
  wrongPassword: 'La contraseña de administrador no es correcta.',

  unreachable: 'El servicio no responde',
  unreachableAdvice: 'Compruebe su conexión e inténtelo de nuevo.',
  failed: 'Algo ha fallado',
  failedAdvice: 'Inténtelo de nuevo dentro de unos minutos.',
  tryAgain: 'Reintentar',
};
