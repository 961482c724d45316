import type { CallWords } from './call-words.ts';

export const words: CallWords = {
  language: 'pl',
  betweenSentences: ' ',
  afterTitle: '. ',

  call: 'Rozmowa',
  callWith: (name) => `Rozmowa: ${name}`,
  oneMoment: 'Chwileczkę…',
  someAgent: 'Agent',
  aiLabel: 'Awatar AI',
  talk: (name) => `Proszę mówić lub pisać, a ${name} odpowie twarzą w twarz.`,
  cannotHear: (name) => `${name} nie słyszy, ale czyta wpisywane wiadomości.`,
  noMicrophone: 'Mikrofon nie jest potrzebny.',
  keepsTranscript: () => 'Operator agenta przechowuje zapis rozmowy.',
  mayLook: (name) =>
    `Gdy kamera jest włączona, ${name} może patrzeć na jej obraz podczas mówienia lub pisania. Obrazy trafiają do modelu językowego agenta. Ta usługa ich nie przechowuje.`,
  startCall: 'Zadzwoń',

  status: {
    returning: 'Powrót do rozmowy',
    asking: 'Łączenie z agentem',
    joining: 'Nawiązywanie połączenia',
    coming: (name) => `${name} dołącza`,
    waiting: 'Oczekiwanie na wolną linię',
    live: 'Na żywo',
    away: (name) => `${name} łączy się ponownie`,
    rejoining: 'Utracono połączenie. Ponawianie…',
  },
  listening: 'Słucha',
  thinking: 'Myśli',
  isThinking: (name) => `${name} zastanawia się.`,
  linesBusy: 'Wszystkie linie są zajęte',
  connectedWhenFree: 'Połączenie nastąpi, gdy tylko zwolni się linia.',
  numberInLine: (position) => `Numer w kolejce: ${position}.`,
  noVideo: 'Brak obrazu',
  videoOf: (name) => `Obraz: ${name}`,
  turnOnSound: 'Włącz dźwięk',

  controls: 'Sterowanie rozmową',
  mute: 'Wycisz',
  unmute: 'Włącz mikrofon',
  cameraOff: 'Wyłącz kamerę',
  cameraOn: 'Włącz kamerę',
  canSee: (name) => `${name} widzi obraz z kamery`,
  cannotSee: (name) => `${name} nie widzi obrazów w tej rozmowie. Kamera jest wyłączona.`,
  chat: 'Czat',
  endCall: 'Zakończ',
  cancel: 'Anuluj',
  close: 'Zamknij',
  talkTo: (name) => `Porozmawiaj: ${name}`,
  backToCall: 'Wróć do rozmowy',

  you: 'Ja',
  youWaiting: (name) => `Ja · zostanie wysłane, gdy ${name} będzie na linii`,
  conversation: 'Rozmowa',
  transcript: 'Zapis rozmowy',
  conversationHint: 'Tutaj pojawi się rozmowa.',
  message: (name) => `Wiadomość do: ${name}`,
  send: 'Wyślij',
  hideNotice: 'Ukryj ten komunikat',
  ignored: {
    too_fast:
      'Ostatnia wiadomość nie została dostarczona, ponieważ w ciągu minuty wysłano ich zbyt wiele. Proszę chwilę odczekać i wysłać ją ponownie.',
    too_often:
      'Ostatnia wiadomość nie została dostarczona, ponieważ w ciągu ostatnich dziesięciu minut wysłano ich wiele. Proszę odczekać kilka minut i wysłać ją ponownie.',
    too_many:
      'Ostatnia wiadomość nie została dostarczona, ponieważ w tej rozmowie osiągnięto limit wiadomości.',
    incomplete: 'Ostatnia wiadomość nie została dostarczona. Proszę wysłać ją ponownie.',
  },
  deviceProblems: {
    microphone: {
      denied:
        'Mikrofon jest na tej stronie zablokowany. Proszę zezwolić na niego obok paska adresu i włączyć go ponownie.',
      missing: 'Nie znaleziono mikrofonu. Proszę go podłączyć i włączyć ponownie.',
      in_use: 'Nie udało się włączyć mikrofonu. Być może używa go inny program.',
      not_secure: 'Przeglądarki zezwalają na mikrofon tylko na stronach https.',
      failed: 'Nie udało się włączyć mikrofonu. Proszę spróbować ponownie.',
    },
    camera: {
      denied:
        'Kamera jest na tej stronie zablokowana. Proszę zezwolić na nią obok paska adresu i włączyć ją ponownie.',
      missing: 'Nie znaleziono kamery. Proszę ją podłączyć i włączyć ponownie.',
      in_use: 'Nie udało się włączyć kamery. Być może używa jej inny program.',
      not_secure: 'Przeglądarki zezwalają na kamerę tylko na stronach https.',
      failed: 'Nie udało się włączyć kamery. Proszę spróbować ponownie.',
    },
  },

  ended: 'Rozmowa dobiegła końca.',
  endings: {
    elsewhere: () => 'Rozmowa toczy się dalej w innym oknie.',
    left: () => 'Opuszczono rozmowę.',
    ended_by_client: () => 'Rozmowa została zakończona.',
    room_empty: () => 'Rozmowa została zakończona z powodu zbyt długiej nieobecności.',
    agent_left: (name) => `${name} kończy rozmowę.`,
    time_limit: () => 'Upłynął limit czasu rozmowy z tym agentem.',
    budget_reached: (name) => `${name} nie ma już czasu na tę rozmowę.`,
    worker_lost: () => 'Komputer agenta uległ awarii, a żaden inny nie był wolny.',
    service_stopped: () => 'Rozmowa została zakończona, ponieważ zatrzymano usługę.',
    never_started: (name) => `${name} nie dołącza do rozmowy.`,
    room_closed: () => 'Serwer multimediów zamknął pokój.',
  },
  callAgain: () => 'Zadzwoń ponownie',
  downloadTranscript: 'Pobierz zapis rozmowy',
  copyTranscript: 'Kopiuj zapis rozmowy',
  copied: 'Skopiowano',
  notCopied: 'Nie skopiowano',
  transcriptHead: (name, when) => `Rozmowa: ${name} (awatar AI), zakończona ${when}`,
  rating: {
    question: 'Jak przebiegła rozmowa?',
    good: 'Dobrze',
    bad: 'Źle',
    whatWasGood: 'Co było dobre? (opcjonalnie)',
    whatToImprove: 'Co można poprawić? (opcjonalnie)',
    thanks: 'Dziękujemy.',
    thanksForWords: 'Dziękujemy. Opinia została wysłana.',
    failed: 'Nie udało się zapisać. Proszę spróbować ponownie.',
  },

  refusals: {
    not_found: () => [
      'Nie znaleziono agenta',
      'Link może zawierać błąd albo agent został usunięty.',
    ],
    private: () => [
      'Ta rozmowa wymaga ważnego linku',
      'Link może być niepełny albo wygasł. Proszę poprosić o nowy.',
    ],
    full: () => ['Wszystkie linie są zajęte', 'Proszę spróbować ponownie za kilka minut.'],
    too_often: () => [
      'Zbyt wiele rozmów',
      'W ciągu ostatniej godziny z tej sieci rozpoczęto zbyt wiele rozmów.',
    ],
    used_up: (name) => [`${name} nie przyjmuje teraz rozmów`, 'Osiągnięto limit kosztów rozmów.'],
    unreachable: () => [
      'Nie można połączyć się z agentem',
      'Usługa nie odpowiada. Proszę sprawdzić połączenie i spróbować ponownie.',
    ],
    not_allowed: () => [
      'Ta rozmowa nie jest tu dostępna',
      'Proszę zwrócić się do właściciela tej strony.',
    ],
    no_media: () => [
      'Nie udało się połączyć z agentem',
      'Dźwięk i obraz korzystają z osobnego połączenia, a serwer multimediów nie odpowiada. Być może blokuje je zapora sieciowa.',
    ],
    failed: () => ['Agent jest niedostępny', 'Coś poszło nie tak. Proszę spróbować ponownie.'],
  },
  localFirefox:
    'Firefox nie łączy się z serwerem multimediów na tym samym komputerze. Proszę użyć innej przeglądarki albo ustawić w about:config opcję media.peerconnection.ice.loopback na true.',
  tryAgain: 'Spróbuj ponownie',
  tryAgainWhen: (when) => `Proszę spróbować ponownie ${when}.`,
};
