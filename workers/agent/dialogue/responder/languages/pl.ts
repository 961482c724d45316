import type { Language } from '../language.ts';

export const polish: Language = {
  tag: 'pl',
  fillers:
    'dzisiaj dziś miałem miałam miał naprawdę tak a aby albo ale bardzo bez bo być był była było by chce chcę chciałabym chciałbym ci co coś czy czego czym dla do dostać dostępne dostępny dwa go i ich ile im inne ja jak jaka jakie jakiś jakieś jaki jako je jego jej jest jestem jesteście już każdy kiedy kim kto która które który ma macie mają mam mi mieć mnie mogę możecie możemy może można mój moja moje moim musi muszę my na nad nam nas nasz nasza nasze nie nich nim no o od on ona oni oraz pan pana pani panie państwo państwa po pod podać powiedz powiedzieć potrzebuję poproszę poza proszę przed przez przy pytanie są się skąd sobie swój ta tak także tam te tego tej ten też to tu tutaj tych tylko tym u w was wasz wasza wasze we więc wiedzieć wszystko wy wziąć z za zabrać zawsze że ze żeby dziękuję cześć dzień dobry oferujecie przyjmujecie akceptujecie dozwolone wolno numer zjeść godzinie godzin godziny rano wieczorem mają wejść przyjść przynieść znajduje',
  places:
    'restauracja restauracji sklep sklepie klinika gabinet warsztat warsztacie hotel hotelu kawiarnia kawiarni salon biuro muzeum firma firmy lokal lokalu',
  endings:
    'owaniem owania owanie owych owego owej owa owe owy ami ach ich ych ego emu ej om em ie ia iu ow y a e i o u',
  questions:
    'kiedy, gdzie, co, kto, jak, ile, jaki, jaka, jakie, który, która, które, dlaczego, czy, czego, skąd, o której, do której, od której, mogę, można, macie, czy można, chciałbym, chciałabym, chcę, potrzebuję, ile kosztuje, jaki jest',
  and: 'i, oraz, a także, lub, albo, też',
  followUps: 'a, i, a co z, a w, a czy, albo, też, co z',
  pronouns: 'on, ona, ono, oni, one, to, ten, ta, te, tam, jest on, jest ona',
  instructions:
    'jesteś, twoje zadanie, twoim zadaniem, nigdy, zawsze, nie, odpowiadaj, mów, bądź, zachowuj, jeśli, jeżeli, gdy, kiedy, pomagaj, unikaj, używaj, proszę',
  kinds: {
    when: 'kiedy, o której, do której, od której, w jakich godzinach, w jakie dni, o której godzinie, w które dni',
    where: 'gdzie, dokąd',
    howMuch:
      'ile kosztuje, ile kosztują, jaka jest cena, jakie są ceny, za ile, po ile, ile się płaci, ile to kosztuje',
    howLong: 'jak długo, ile trwa, ile czasu, jak szybko, ile dni, ile tygodni, w ile dni',
    howMany: 'ile',
    measure: 'jak często, jak daleko, jak duży',
    who: 'kto, czyj, czyja, do kogo',
  },
  days: [
    'poniedzia*, pon, pn',
    'wtor*, wt',
    'środ*, śr',
    'czwart*, czw',
    'piąt*, pt',
    'sobot*, sob',
    'niedziel*, niedz, nd',
  ],
  until: 'do',
  everyDay: 'codziennie, każdego dnia, siedem dni w tygodniu, 7 dni w tygodniu',
  workdays: 'dni robocze, dniach roboczych, w tygodniu, dni powszednie',
  weekend: 'weekend*, w weekend',
  today: 'dzisiaj, dziś, dziś wieczorem, w tej chwili',
  tomorrow: 'jutro',
  numbers:
    'drugiej, trzeciej, czwartej, piątej, szóstej, siódmej, ósmej, dziewiątej, dziesiątej, jedenastej, dwunastej, południe, południa, północ, północy',
  durations:
    'minut*, godzin*, dzień, dni, tydzień, tygodni*, miesiąc*, miesięcy, rok, roku, lat, lata, od ręki, natychmiast',
  free: 'darmow*, bezpłatn*, za darmo, gratis, nic',
  closed: 'zamknięt*, nieczynn*',
  topics: {
    hours: {
      name: 'godziny otwarcia',
      words:
        'otwart*, otwieracie, otwiera, otwierają, otwarcia, zamknięt*, zamykacie, zamyka, czynn*, nieczynn*, godziny otwarcia, godzin otwarcia, godzinach otwarcia, godziny pracy, godziny przyjęć',
      headed: 'godziny',
    },
    address: {
      name: 'adres',
      words: 'mieści się, znajduje się przy, położon*',
      asked:
        'gdzie jesteście, gdzie się znajdujecie, gdzie państwo są, gdzie znajdę, jak dojechać, jak do was trafić, jak trafić, na jakiej ulicy, gdzie jesteś, gdzie was znajdę, gdzie znajduje się',
      told: 'znajdziesz nas, znajdą nas państwo, znajdujemy się, znajdą państwo, zapraszamy na ulicę',
      headed: 'adres*, lokalizacja, dojazd, gdzie jesteśmy',
    },
    parking: { name: 'parking', words: 'parking*, parkow*, zaparkow*, miejsca postojowe' },
    booking: {
      name: 'rezerwacje i wizyty',
      words:
        'rezerw*, zarezerw*, umówić, wizyt*, umówienia, umówić się, stolik dla, zapisać się, zapisy',
    },
    price: {
      name: 'ceny',
      words:
        'cena, ceny, cenę, cennik*, kosztuje, kosztują, koszt, koszty, drogo, drogie, tanie, darmow*, bezpłatn*, za darmo, opłat*',
    },
    delivery: {
      name: 'dostawa',
      words: 'dostaw*, dowoz*, dowóz, wysył*, wysyłk*, przesyłk*, dostarcza*',
    },
    returns: { name: 'zwroty', words: 'zwrot*, zwróc*, odesła*, wymian*, wymienić, reklamac*' },
    refunds: {
      name: 'zwrot pieniędzy',
      words:
        'zwrot pieniędzy, zwrot kosztów, zwrotu pieniędzy, moje pieniądze, pieniądze z powrotem',
    },
    warranty: { name: 'gwarancja', words: 'gwaranc*, rękojmi*' },
    contact: {
      name: 'kontakt',
      words:
        'kontakt*, skontaktow*, obsługa klienta, porozmawiać z kimś, porozmawiać z człowiekiem',
      kinds: [
        'telefon*, zadzwonić, dzwonić, tel, numer telefonu, zadzwoń, komórk*',
        'email*, e mail*, mail, maila, mailem, adres mailowy',
        'whatsapp',
        'faks*',
      ],
    },
    transit: {
      name: 'dojazd',
      words: 'komunikacj*, tramwaj*, metro, metrem',
      kinds: ['autobus*, przystanek*', 'pociąg*, dworzec, dworca, stacj*'],
    },
    payment: {
      name: 'płatność',
      words: 'płac*, płacić, płatnoś*, zapłac*, formy płatności',
      kinds: [
        'kart*, kartą, karty kredytow*, kartą kredytową, visa, mastercard',
        'gotówk*',
        'paypal',
        'american express, amex',
        'bitcoin*, krypto*',
        'faktur*',
        'apple pay',
        'google pay',
        'blik*',
        'przelew*',
        'raty, ratach',
      ],
    },
    pets: {
      name: 'zwierzęta',
      words: 'zwierz*',
      kinds: [
        'pies, psa, psem, psy, psami, piesk*, szczeni*, psów',
        'kot, kota, kotem, koty, kotami',
        'ptak*',
        'koń, koni*',
      ],
    },
    wifi: { name: 'wifi', words: 'wifi, wi fi, internet*' },
    access: {
      name: 'dostępność',
      words:
        'wózek, wózkiem, wózków, wózki, niepełnospraw*, wind*, podjazd*, bez stopni, bez barier, dostępność, stopni, schod*',
    },
    children: { name: 'dzieci', words: 'dzieck*, dzieci, dziećmi, niemowl*, krzesełk*, dziecięc*' },
    vegetarian: {
      name: 'dania wegetariańskie',
      words: 'bez mięsa, bezmięsn*',
      kinds: ['wegetaria*', 'wegań*, wegan*'],
    },
    allergies: {
      name: 'alergie',
      words: 'alerg*, uczule*, nietoleranc*',
      kinds: ['gluten*, bezgluten*, celiak*', 'orzech*, orzesz*', 'laktoz*, bez laktozy'],
    },
    collection: { name: 'odbiór', words: 'odbiór, odbior*, odebrać, odbieram*' },
    tracking: {
      name: 'śledzenie paczki',
      words: 'śledz*',
      asked: 'gdzie jest moja paczka, gdzie jest moje zamówienie',
    },
    takeaway: { name: 'dania na wynos', words: 'na wynos' },
    cancelling: { name: 'odwoływanie', words: 'odwoł*, anulow*, zrezygnow*' },
    toilets: { name: 'toalety', words: 'toalet*, wc, ubikacj*' },
    smoking: { name: 'palenie', words: 'palić, palen*, papieros*, palących' },
    outdoors: { name: 'ogródek', words: 'ogród*, ogrod*, taras*, na zewnątrz, na dworze' },
    vouchers: {
      name: 'bony podarunkowe',
      words: 'bon podarunkowy, bony podarunkowe, karta podarunkowa, karty podarunkowe, voucher*',
    },
    discounts: {
      name: 'zniżki',
      words: 'zniżk*, rabat*, promocj*',
      kinds: ['studen*', 'senior*, emery*'],
    },
    estimates: { name: 'wyceny', words: 'wycen*, kosztorys*' },
    holidays: { name: 'święta', words: 'święta, świąt*, dni wolne, urlop*' },
    jobs: {
      name: 'praca',
      words: 'oferty pracy, zatrudn*, rekrutac*, praca u was, pracować u was, staż, praktyk*',
    },
    owner: {
      name: 'ludzie',
      words: 'właściciel*, szef*, założyciel*, założy*, należy do, prowadzon*, kierownik*',
    },
    insurance: { name: 'ubezpieczenie', words: 'ubezpiecz*, nfz' },
  },
  smallTalk: {
    greeting:
      'cześć, hej, witaj, witam, dzień dobry, dobry wieczór, siema, miło mi, miło cię poznać, halo',
    wellBeing:
      'jak się masz, jak się pan ma, jak się pani ma, co słychać, jak leci, co u ciebie, jak się czujesz, wszystko dobrze, wszystko w porządku',
    thanks:
      'dziękuję, dzięki, dziękuję bardzo, bardzo dziękuję, wielkie dzięki, serdecznie dziękuję',
    goodbye:
      'do widzenia, pa, na razie, do zobaczenia, do usłyszenia, żegnaj, miłego dnia, dobranoc, to wszystko, muszę iść, pa pa',
    name: 'jak masz na imię, jak się nazywasz, jak się pani nazywa, jak się pan nazywa, jak ma pani na imię, jak ma pan na imię, twoje imię, z kim rozmawiam',
    identity:
      'kim jesteś, kim pani jest, kim pan jest, czym jesteś, jesteś człowiekiem, czy jesteś człowiekiem, czy jesteś prawdziwa, jesteś robotem, czy jesteś robotem, jesteś sztuczną inteligencją, czy jesteś sztuczną inteligencją, jesteś maszyną, czy rozmawiam z człowiekiem, przedstaw się',
    abilities:
      'co potrafisz, co umiesz, co możesz zrobić, co wiesz, o co mogę zapytać, o co mogę pytać, pomoc, pomocy, pomóż mi, możesz mi pomóc, czy możesz mi pomóc, może mi pani pomóc, mam pytanie, w czym możesz pomóc',
    time: 'która jest godzina, która godzina, jaka jest godzina, która to godzina',
    date: 'jaki dziś dzień, jaki jest dzisiaj dzień, jaki mamy dzień, jaka jest data, jaka jest dzisiaj data, którego dzisiaj mamy, dzisiejsza data, jaki dzisiaj jest dzień, jaki jest dziś dzień',
    hearing:
      'słyszysz mnie, czy mnie słyszysz, czy mnie pani słyszy, czy mnie słychać, jesteś tam, czy jesteś tam, jest tam ktoś, czy ktoś tam jest, rozumiesz mnie, czy mnie rozumiesz, test, działa to',
    sad: 'zły dzień, okropny dzień, ciężki dzień, fatalny dzień, jestem smutny, jestem smutna, jest mi smutno, źle się czuję, jestem zmęczony, jestem zmęczona, jestem chory, jestem chora, jestem samotny, jestem samotna, nie jest dobrze',
    glad: 'dobrze, bardzo dobrze, świetnie, super, wspaniale, doskonale, u mnie dobrze, fajnie, idealnie, cieszę się',
    yes: 'tak, tak proszę, jasne, oczywiście, chętnie, dobra, ok, okej, zgoda, w porządku, rozumiem, dokładnie, pewnie',
    no: 'nie, nie dziękuję, nie teraz, nic, nieważne',
    repeat:
      'słucham, powtórz, proszę powtórzyć, możesz powtórzyć, czy możesz powtórzyć, jeszcze raz, nie zrozumiałem, nie zrozumiałam, nie słyszałem, nie słyszałam, co powiedziałaś, co powiedziałeś, przepraszam',
  },
  replies: {
    greeting: 'Dzień dobry, tu {name}.',
    greetingAgain: 'Dzień dobry!',
    askMe: 'O co chcesz zapytać?',
    wellBeing: 'U mnie wszystko dobrze, dziękuję.',
    thanks: 'Nie ma za co.',
    goodbye: 'Do widzenia!',
    name: 'Mam na imię {name}.',
    identity: 'Jestem {name}, awatar AI.',
    time: 'Według zegara maszyny, na której działam, jest {time}.',
    date: 'Według zegara maszyny, na której działam, dzisiaj jest {date}.',
    hearing: 'Tak, twoje słowa do mnie docierają.',
    sad: 'Przykro mi. Mam nadzieję, że wkrótce będzie lepiej.',
    glad: 'Cieszę się.',
    agreed: 'Dobrze.',
    unknown: 'Przykro mi, tego nie wiem.',
    topics: 'Mogę opowiedzieć na te tematy: {topics}. Który wybierasz?',
    nearest: 'Czy mam opowiedzieć na ten temat: {topic}?',
    noModel: 'Działam bez modelu językowego i odpowiadam tylko słowami, które mi podano.',
    noFacts:
      'Działam bez modelu językowego i nie podano mi niczego, z czego mogę odpowiadać; mogę tylko chwilę pogawędzić.',
  },
};
