import type { Language } from '../language.ts';

export const dutch: Language = {
  tag: 'nl',
  fillers:
    'vandaag gehad hele echt had best aan al alle alleen alles als altijd andere beschikbaar ben bent bij bieden biedt brengen daar daarna dan dat de den der deze die dit doe doen door dus een eens en er erg even ergens gaan geen geven graag had heb hebben hebt heeft heel hem het hier hoe hoeveel hun ik in is ja je jij jou jouw jullie kan kom komen kunnen kunt maar mag meer meenemen met mij mijn moet moeten mogelijk mogen na naar nee niet niets nog nu of om ons onze ook op over per snel staan te tegen toch toe toegestaan tot u uit uw van vanaf veel via voor vraag waar waarom wanneer want was wat we weet weten welk welke werd wie wil willen wij worden wordt zal ze zeer zeg zeggen zich zij zijn zo zou zouden zeg dank hallo alstublieft alsjeblieft accepteren accepteert inbegrepen nummer eten nodig uur ochtend middag avond neem nemen gebruiken wezen',
  places:
    'restaurant winkel kliniek praktijk werkplaats hotel café salon kantoor museum bedrijf zaak studio',
  endings: 'ingen ing en er es st e n s t',
  forms: 'repareren=reparatie repareert=reparatie gerepareerd=reparatie',
  questions:
    'wanneer, waar, wat, wie, hoe, hoeveel, welke, welk, waarom, kan, kunnen, kunt, mag, mogen, heb, hebben, hebt, heeft, is, zijn, bent, moet, moeten, doen, doet, accepteren, verkopen, ik wil, ik zou, ik heb, bezorgen, leveren, zijn jullie, zijn er, bieden',
  and: 'en, ook, of, plus, evenals',
  followUps: 'en, en op, hoe zit het met, wat dacht je van, of, ook',
  pronouns: 'hij, zij, ze, het, dit, deze, die, dat, daar',
  instructions:
    'je bent, jij bent, u bent, jouw taak, uw taak, je taak, nooit, altijd, niet, antwoord, spreek, wees, gedraag, als, wanneer, zeg, help, vermijd, gebruik',
  kinds: {
    when: 'wanneer, hoe laat, tot hoe laat, vanaf hoe laat, welke dagen, op welke dagen',
    where: 'waar, waarheen',
    howMuch:
      'hoeveel kost, hoeveel kosten, wat kost, wat kosten, hoe duur, wat is de prijs, wat zijn de prijzen, wat rekenen jullie, hoeveel is',
    howLong: 'hoe lang, hoelang, hoe snel, hoeveel dagen, hoeveel weken',
    howMany: 'hoeveel',
    measure: 'hoe vaak, hoe ver, hoe groot, hoe oud',
    who: 'wie, van wie',
  },
  days: [
    'maandag*, ma',
    'dinsdag*, di',
    'woensdag*, wo',
    'donderdag*, do',
    'vrijdag*, vr',
    'zaterdag*, za',
    'zondag*, zo',
  ],
  until: 'tot, tot en met, t m, t/m',
  everyDay: 'dagelijks, elke dag, iedere dag, alle dagen, zeven dagen per week',
  workdays: 'werkdag*, doordeweeks, door de week',
  weekend: 'weekend*',
  today: 'vandaag, vanavond, op dit moment',
  tomorrow: 'morgen',
  numbers:
    'twee uur, drie uur, vier uur, vijf uur, zes uur, zeven uur, acht uur, negen uur, tien uur, elf uur, twaalf uur, middernacht, half',
  durations:
    'minuut, minuten, uur, uren, dag, dagen, week, weken, maand, maanden, jaar, jaren, meteen, direct, onmiddellijk',
  free: 'gratis, kosteloos, niets, vrij',
  closed: 'gesloten, dicht, sluitingsdag*',
  topics: {
    hours: {
      name: 'openingstijden',
      words:
        'open, opent, openen, geopend, openingstijd*, openingsuren, sluit, sluiten, gesloten, dicht, sluitingstijd*, spreekuur*',
      headed: 'tijden',
    },
    address: {
      name: 'het adres',
      words: 'gevestigd, bevindt zich, ligt aan',
      asked:
        'waar zijn jullie, waar bent u, waar zit u, waar zitten jullie, waar vind ik, waar ligt, hoe kom ik bij, welke straat, waar kan ik jullie vinden, waar ben je',
      told: 'u vindt ons, je vindt ons, bezoek ons',
      headed: 'adres*, locatie, route, ligging',
    },
    parking: { name: 'parkeren', words: 'parkeer*, parkeren, *parkeerplaats*, geparkeerd' },
    booking: {
      name: 'reserveringen en afspraken',
      words: 'reserv*, boeken, boek, boeking*, afspraak, afspraken, een tafel voor',
    },
    price: {
      name: 'prijzen',
      words: '*prijs, *prijzen, tarief, tarieven, kosten, kost, duur, goedkoop, gratis, kosteloos',
    },
    delivery: {
      name: 'bezorging',
      words: 'bezorg*, lever*, verzend*, verstuur*, versturen, thuisbezorg*',
    },
    returns: {
      name: 'retourneren',
      words:
        'retour*, terugsturen, terugbrengen, teruggeven, ruilen, omruilen, stuur~terug, breng~terug',
    },
    refunds: { name: 'terugbetaling', words: 'terugbetal*, geld terug, mijn geld' },
    warranty: { name: 'de garantie', words: '*garantie*' },
    contact: {
      name: 'contact',
      words: 'contact*, bereiken, bereikbaar, klantenservice, iemand spreken, met iemand praten',
      kinds: [
        'telefoon*, bellen, bel ons, tel, belt, mobiel',
        'email*, e mail*, mail, mailen, mailadres*',
        'whatsapp',
        'fax',
      ],
    },
    transit: {
      name: 'het openbaar vervoer',
      words: 'openbaar vervoer, tram, metro',
      kinds: ['bus, bussen, bushalte*', 'trein, treinen, station'],
    },
    payment: {
      name: 'betalen',
      words: '*betal*, betaal*, afrekenen',
      kinds: [
        'creditcard*, pinnen, pin, met kaart, kaarten, pinpas, visa, mastercard',
        'contant*, cash',
        'paypal',
        'american express, amex',
        'bitcoin*, crypto*',
        'factuur, facturen, op rekening',
        'apple pay',
        'google pay',
        'overschrijv*, overboek*',
        'termijnen, ideal',
      ],
    },
    pets: {
      name: 'huisdieren',
      words: 'huisdier*, dier, dieren',
      kinds: ['hond, honden, hondje*, puppy*', 'kat, katten, poes', 'vogel*', 'paard*'],
    },
    wifi: { name: 'de wifi', words: 'wifi, wi fi, internet' },
    access: {
      name: 'toegankelijkheid',
      words:
        'rolstoel*, toegankelijk*, gehandicapt*, lift, drempel*, hellingbaan, traptreden, invalide*',
    },
    children: { name: 'kinderen', words: 'kind, kinderen, kindje*, baby*, kinderstoel*, peuter*' },
    vegetarian: {
      name: 'vegetarische gerechten',
      words: 'zonder vlees, plantaardig*',
      kinds: ['vegetari*', 'vegan*, veganist*'],
    },
    allergies: {
      name: 'allergieën',
      words: 'allerg*, intoleran*',
      kinds: ['gluten*, coeliakie', 'noten, pinda*', 'lactose*, melkvrij'],
    },
    collection: { name: 'ophalen', words: 'ophal*, afhal*, haal~op, halen~op, opgehaald' },
    tracking: {
      name: 'een pakket volgen',
      words: 'volgen, track',
      asked:
        'waar is mijn pakket, waar is mijn bestelling, waar blijft mijn pakket, waar blijft mijn bestelling',
    },
    takeaway: { name: 'afhaalmaaltijden', words: 'afhaal*, om mee te nemen, meeneem*' },
    cancelling: { name: 'annuleren', words: 'annul*, afzeg*, zeg~af' },
    toilets: { name: 'toiletten', words: 'toilet*, wc' },
    smoking: { name: 'roken', words: 'roken, rook, gerookt, sigaret*' },
    outdoors: { name: 'buiten zitten', words: 'terras*, buiten, tuin' },
    vouchers: { name: 'cadeaubonnen', words: 'cadeaubon*, cadeaukaart*, tegoedbon*' },
    discounts: { name: 'kortingen', words: '*korting*', kinds: ['student*', 'senior*, 65 plus*'] },
    estimates: { name: 'offertes', words: 'offerte*' },
    holidays: { name: 'feestdagen', words: 'feestdag*, vakantie*' },
    jobs: { name: 'vacatures', words: 'vacature*, werken bij, solliciter*, stage, baan' },
    owner: {
      name: 'de mensen',
      words: 'eigenaar*, eigenares, baas, oprichter*, opgericht, directeur, gerund door',
    },
    insurance: { name: 'de verzekering', words: '*verzeker*, zorgverzeker*' },
  },
  smallTalk: {
    greeting:
      'hallo, hoi, hey, hé, goedemorgen, goedemiddag, goedenavond, goedendag, goeiemorgen, dag, aangenaam',
    wellBeing:
      'hoe gaat het, hoe gaat het met je, hoe gaat het met u, hoe is het, alles goed, hoe voel je je, hoe gaat ie',
    thanks:
      'dank je, dank u, dankjewel, dankuwel, dank je wel, dank u wel, bedankt, hartelijk dank, heel erg bedankt, hartelijk bedankt, merci',
    goodbye:
      'tot ziens, doei, dag dag, tot later, tot straks, tot snel, fijne dag, fijne dag nog, goedenacht, welterusten, dat was alles, dat was het, ik moet gaan',
    name: 'hoe heet je, hoe heet u, je naam, jouw naam, uw naam, wat is je naam, wat is jouw naam, wat is uw naam, met wie spreek ik',
    identity:
      'wie ben je, wie ben jij, wie bent u, wat ben je, wat ben jij, wat bent u, ben je een mens, ben jij een mens, bent u een mens, ben je echt, ben je een robot, ben jij een robot, bent u een robot, ben je een ai, ben je een machine, praat ik met een mens, stel je voor, stel jezelf voor',
    abilities:
      'wat kun je, wat kan je, wat kunt u, wat weet je, wat weet u, wat kan ik vragen, wat kan ik je vragen, hulp, help, help me, kun je me helpen, kunt u me helpen, kunt u mij helpen, ik heb een vraag',
    time: 'hoe laat is het, wat is de tijd, weet je hoe laat het is',
    date: 'welke dag is het, welke dag is het vandaag, wat is de datum, welke datum is het, de datum van vandaag, wat voor dag is het',
    hearing:
      'kun je me horen, kunt u me horen, kunt u mij horen, hoor je me, hoort u mij, ben je er, ben je daar, bent u er, bent u daar, is daar iemand, is er iemand, begrijp je me, begrijpt u mij, test, werkt dit',
    sad: 'slechte dag, rotdag, vreselijke dag, zware dag, ik ben verdrietig, ik voel me slecht, het gaat slecht, het gaat niet goed, ik ben moe, ik ben ziek, ik ben eenzaam, ik voel me eenzaam',
    glad: 'goed, heel goed, prima, geweldig, fantastisch, perfect, het gaat goed, uitstekend, mooi, leuk, fijn',
    yes: 'ja, ja graag, graag, natuurlijk, zeker, oké, ok, goed zo, akkoord, precies, ik begrijp het, klopt, doe maar',
    no: 'nee, nee dank je, nee bedankt, niet nu, niets, laat maar',
    repeat:
      'pardon, wat zeg je, wat zegt u, wat zei je, herhaal, herhaal dat, kun je dat herhalen, kunt u dat herhalen, nog een keer, nog eens, ik heb het niet verstaan, ik begreep het niet, niet gehoord, sorry, excuseer',
  },
  replies: {
    greeting: 'Hallo, ik ben {name}.',
    greetingAgain: 'Hallo!',
    askMe: 'Wat wilt u weten?',
    wellBeing: 'Het gaat goed met mij, dank u.',
    thanks: 'Graag gedaan.',
    goodbye: 'Tot ziens!',
    name: 'Ik heet {name}.',
    identity: 'Ik ben {name}, een AI-avatar.',
    time: 'Volgens de klok van de machine waarop ik draai, is het {time}.',
    date: 'Volgens de klok van de machine waarop ik draai, is het vandaag {date}.',
    hearing: 'Ja, uw woorden bereiken mij.',
    sad: 'Wat naar voor u. Ik hoop dat het snel beter gaat.',
    glad: 'Dat doet me plezier.',
    agreed: 'Goed.',
    unknown: 'Sorry, dat weet ik niet.',
    topics: 'Ik weet iets over {topics}. Wat wilt u horen?',
    nearest: 'Zal ik u iets vertellen over {topic}?',
    noModel:
      'Ik werk zonder taalmodel en kan alleen antwoorden met de woorden die ik heb gekregen.',
    noFacts:
      'Ik werk zonder taalmodel en heb niets gekregen om mee te antwoorden; ik kan alleen een praatje maken.',
  },
};
