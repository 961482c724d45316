import { baseLanguage } from '#protocol/languages.ts';

/** Built-in phrases of agents. Languages not listed use English. */
type Phrases = {
  greeting: string;
  oneMinuteLeft: string;
  sorry: string;
  /** While the model has not begun to answer. */
  thinking: string;
  /** The last sentence of a call that has cost as much as it may. */
  budgetReached: string;
};

const english: Phrases = {
  greeting: 'Hello! How can I help you?',
  oneMinuteLeft: 'We have about one minute left.',
  sorry: 'Sorry, I cannot answer that right now. Please try again in a moment.',
  thinking: 'One moment, I am thinking.',
  budgetReached:
    'That is all the time I have for this conversation. Thank you for talking with me, and goodbye!',
};

const phrases: Record<string, Phrases> = {
  en: english,
  de: {
    greeting: 'Hallo! Wie kann ich Ihnen helfen?',
    oneMinuteLeft: 'Wir haben noch etwa eine Minute.',
    sorry:
      'Entschuldigung, das kann ich gerade nicht beantworten. Bitte versuchen Sie es gleich noch einmal.',
    thinking: 'Einen Moment, ich denke nach.',
    budgetReached:
      'Mehr Zeit habe ich für dieses Gespräch leider nicht. Danke für die Unterhaltung, auf Wiedersehen!',
  },
  fr: {
    greeting: 'Bonjour ! Comment puis-je vous aider ?',
    oneMinuteLeft: 'Il nous reste environ une minute.',
    sorry: 'Désolé, je ne peux pas répondre pour le moment. Veuillez réessayer dans un instant.',
    thinking: 'Un instant, je réfléchis.',
    budgetReached:
      'Je n’ai malheureusement plus de temps pour cette conversation. Merci pour cet échange, au revoir !',
  },
  es: {
    greeting: '¡Hola! ¿En qué puedo ayudarle?',
    oneMinuteLeft: 'Nos queda aproximadamente un minuto.',
    sorry: 'Lo siento, ahora mismo no puedo responder. Inténtelo de nuevo en un momento.',
    thinking: 'Un momento, estoy pensando.',
    budgetReached:
      'No tengo más tiempo para esta conversación. Gracias por hablar conmigo, ¡hasta pronto!',
  },
  it: {
    greeting: 'Ciao! Come posso aiutarti?',
    oneMinuteLeft: 'Abbiamo ancora circa un minuto.',
    sorry: 'Mi dispiace, ora non posso rispondere. Riprova tra un momento.',
    thinking: 'Un momento, ci sto pensando.',
    budgetReached:
      'Non ho altro tempo per questa conversazione. Grazie per aver parlato con me, arrivederci!',
  },
  pt: {
    greeting: 'Olá! Como posso ajudar?',
    oneMinuteLeft: 'Temos cerca de um minuto.',
    sorry: 'Desculpe, não consigo responder agora. Tente novamente dentro de instantes.',
    thinking: 'Um momento, estou a pensar.',
    budgetReached: 'Não tenho mais tempo para esta conversa. Obrigado por falar comigo, até breve!',
  },
  nl: {
    greeting: 'Hallo! Hoe kan ik u helpen?',
    oneMinuteLeft: 'We hebben nog ongeveer één minuut.',
    sorry: 'Sorry, dat kan ik nu niet beantwoorden. Probeer het zo meteen opnieuw.',
    thinking: 'Een ogenblik, ik denk na.',
    budgetReached:
      'Meer tijd heb ik helaas niet voor dit gesprek. Bedankt voor het praten, tot ziens!',
  },
  pl: {
    greeting: 'Dzień dobry! W czym mogę pomóc?',
    oneMinuteLeft: 'Została nam około jedna minuta.',
    sorry: 'Przepraszam, nie mogę teraz odpowiedzieć. Proszę spróbować za chwilę.',
    thinking: 'Chwileczkę, zastanawiam się.',
    budgetReached:
      'Niestety nie mam już więcej czasu na tę rozmowę. Dziękuję za rozmowę, do widzenia!',
  },
  ja: {
    greeting: 'こんにちは。どのようなご用件でしょうか。',
    oneMinuteLeft: '残り時間は約1分です。',
    sorry: '申し訳ありません。今はお答えできません。少ししてからもう一度お試しください。',
    thinking: '少々お待ちください。考えています。',
    budgetReached:
      'この会話のお時間はここまでとなります。お話しいただきありがとうございました。失礼いたします。',
  },
  zh: {
    greeting: '您好！有什么可以帮您？',
    oneMinuteLeft: '我们还剩大约一分钟。',
    sorry: '抱歉，我现在无法回答，请稍后再试。',
    thinking: '请稍等，我在思考。',
    budgetReached: '这次对话的时间到了。感谢您的交流，再见！',
  },
};

export const phrasesIn = (language: string): Phrases => phrases[baseLanguage(language)] ?? english;
