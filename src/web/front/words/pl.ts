import type { FrontWords } from './front-words.ts';

export const words: FrontWords = {
  language: 'pl',
  headline: 'Twarz dla agenta głosowego.',
  lede: 'Agent mówi, a Troupe pokazuje mówiącą osobę, w rytmie głosu. Twarz, głos i serwer multimediów działają na tym komputerze.',
  film: 'Nagranie mówiącego awatara, bez dźwięku',
  pictureOf: (name) => `Zdjęcie: ${name}`,

  talkHeading: (name) => `${name} czeka na rozmowę.`,
  talkLede: 'Rozmowa twarzą w twarz. Twarz, głos i serwer multimediów działają na tym komputerze.',
  talkWith: (name) => `Porozmawiaj: ${name}`,
  agent: 'Agent',
  noAgent: 'Na tym koncie nie ma jeszcze agenta, z którym można porozmawiać.',
  createAgent: 'Utwórz agenta',
  tryAvatar: 'Wypróbuj awatara',

  signIn: 'Zaloguj się, aby rozmawiać',
  readHow: 'Jak to działa',
  operator: ['Administrator usługi może otworzyć link wyświetlony przez ', '.'],
  linkSpent:
    'Ten link został już użyty albo jest starszy niż ostatnie uruchomienie. Proszę użyć najnowszego.',
  adminPassword: 'Hasło administratora',
  open: 'Otwórz',
  wrongPassword: 'Nieprawidłowe hasło administratora.',

  unreachable: 'Usługa nie odpowiada',
  unreachableAdvice: 'Proszę sprawdzić połączenie i spróbować ponownie.',
  failed: 'Coś poszło nie tak',
  failedAdvice: 'Proszę spróbować ponownie za kilka minut.',
  tryAgain: 'Spróbuj ponownie',
};
