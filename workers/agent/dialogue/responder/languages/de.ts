import type { Language } from '../language.ts';

export const german: Language = {
  tag: 'de',
  hasCapitalNouns: true,
  fillers:
    'hatte hatten wirklich ziemlich total heute einfach ganz hab hätten aber alle alles als also am an auch auf aus bei beim bekommen bekomme bekommt bieten bietet bin bis bist bitte bringen mitbringen brauche brauchen da dabei damit dann darf das dass dein deine dem den denn der des die dies diese dieser doch du dürfen ein eine einem einen einer eines einmal er erlaubt es etwas euch euer eure für gar geben gebt geht gehen genau gern gerne gibt haben habe habt hat hätte hier ich ihnen ihr ihre ihren im immer in irgendwo ist ja jetzt kann kannst können könnte könnten könntest kommen komme lassen leider mal man mehr mein meine meinem meinen meiner mich mit möchte möchten möglich mir müssen muss nach nehmen nehmt nicht nichts noch nur ob oder sagen schon sehr sein sich sie sind so sollte sondern um und uns unser unsere unter verfügbar viel vielen vielleicht vom von vor vorhanden war wäre was wann warum weil welche welchen welcher welches wem wen wenn wer werde werden wie wieder will wir wird wissen wo wohl wollen würde zu zum zur zwar über danke hallo essen sag sagt nummer vormittag nachmittag abend morgens abends mittag uhr offen frage',
  places:
    'restaurant laden geschäft praxis werkstatt hotel cafe salon büro museum studio firma betrieb lokal',
  endings: 'ungen ung en er es em st e n s t',
  forms: 'kosten=kost reparieren=reparatur repariert=reparatur reparierst=reparatur',
  questions:
    'wann, wo, was, wer, wie, welche, welcher, welches, warum, woher, wohin, kann, können, könnte, könnten, darf, dürfen, gibt, habt, haben, hat, ist, sind, seid, muss, müssen, bietet, bieten, ich möchte, ich hätte, ich würde, ich will, ich brauche, liefern, liefert, nehmen, nehmt, verkaufen, verkauft, akzeptieren, braucht, brauche',
  and: 'und, sowie, oder, plus',
  followUps: 'und, was ist mit, wie ist es mit, wie sieht es mit, wie steht es mit, oder, auch',
  pronouns: 'er, sie, es, diese, dieser, dieses, das, dafür, davon, dort',
  instructions:
    'du, sie sind, deine aufgabe, ihre aufgabe, deine rolle, niemals, nie, immer, bitte, sei, seien sie, sprich, sprechen sie, antworte, antworten sie, verhalte, wenn, falls, sag, sage, hilf, begrüße, vermeide, nutze, verwende',
  kinds: {
    when: 'wann, um wie viel uhr, um wieviel uhr, ab wann, bis wann, wie spät, welche tage, an welchen tagen, wie lange habt ihr offen, wie lange haben sie geöffnet',
    where: 'wo, wohin',
    howMuch:
      'wie viel kostet, wieviel kostet, was kostet, was kosten, wie viel kosten, wie teuer, was nehmen sie für, was verlangen sie für',
    howLong: 'wie lange, wie schnell, wie viele tage, wie viele wochen',
    howMany: 'wie viele, wie viel, wieviele, wieviel',
    measure: 'wie oft, wie weit, wie groß, wie alt',
    who: 'wer, wem, wen',
  },
  days: [
    'montag*, mo',
    'dienstag*, di',
    'mittwoch*, mi',
    'donnerstag*, do',
    'freitag*, fr',
    'samstag*, sonnabend*, sa',
    'sonntag*, so',
  ],
  until: 'bis, bis einschließlich',
  everyDay: 'täglich, jeden tag, die ganze woche',
  workdays: 'werktag*, wochentags, unter der woche',
  weekend: 'wochenende*',
  today: 'heute, heute abend, gerade',
  tomorrow: 'morgen',
  numbers:
    'zwei, drei, vier, fünf, sechs, sieben, acht, neun, zehn, elf, zwölf, mittag, mitternacht, halb, rund um die uhr',
  durations:
    'minute*, stunde*, tag, tage, tagen, woche*, monat*, jahr, jahre, jahren, sofort, am selben tag, über nacht',
  free: 'kostenlos*, gratis, umsonst, kostet nichts, kostenfrei*, frei',
  closed: 'geschlossen, zu, ruhetag*',
  topics: {
    hours: {
      name: 'Öffnungszeiten',
      words:
        'öffnet, öffnen, geöffnet, öffnungszeit*, schließt, schließen, geschlossen, sprechzeit*, sprechstunde*, bürozeit*, ruhetag*, haben sie offen, habt ihr offen, offen, auf haben, habt ihr auf',
      asked: 'zu machen, macht ihr auf, macht ihr zu, machen sie auf, machen sie zu',
      headed: 'zeiten, geöffnet',
    },
    address: {
      name: 'die Adresse',
      words: 'liegt in der, befindet sich, befinden uns',
      asked:
        'wo seid ihr, wo sind sie, wo ist ihr, wo finde ich, wo sitzt ihr, wo liegt, komme ich zu ihnen, komme ich zu euch, welche straße, hinkommen, wo sitzen sie',
      told: 'sie finden uns, ihr findet uns, so finden sie uns, besuchen sie uns',
      headed: 'adresse*, anschrift, anfahrt, standort, lage',
    },
    parking: {
      name: 'Parkplätze',
      words: '*parkplatz*, *parkplätz*, parken, parkt, parke, *parkhaus*, stellplatz*, tiefgarage*',
    },
    booking: {
      name: 'Reservierungen und Termine',
      words:
        'reservier*, buchen, buche, gebucht, buchung*, termin, termine, terminvereinbarung*, tisch für, anmeldung, anmelden, voranmeldung',
    },
    price: {
      name: 'Preise',
      words:
        '*preis, *preise, *preisen, kosten, kostet, gebühr*, *kosten, teuer, günstig, kostenlos*, gratis, umsonst',
    },
    delivery: {
      name: 'Lieferung',
      words: 'liefer*, versand*, versend*, *lieferung, verschick*, zustell*',
    },
    returns: {
      name: 'Rückgabe',
      words:
        '*rückgabe*, zurückgeb*, zurückschick*, zurücksend*, umtausch*, umtauschen, *rücksendung*, *retoure*, widerruf*, schicke~zurück, sende~zurück, gebe~zurück',
    },
    refunds: { name: 'Erstattung', words: '*erstatt*, geld zurück, mein geld' },
    warranty: { name: 'Garantie', words: '*garantie*, gewährleistung*' },
    contact: {
      name: 'Kontakt',
      words:
        'kontakt*, erreichen, erreichbar, erreiche, mit jemandem sprechen, kundendienst*, kundenservice',
      kinds: [
        'telefon*, anrufen, rufnummer*, tel, rufen sie, ruft an, handynummer*, rufe~an, anruf',
        '*email*, e mail*, mailadresse*, mail',
        'whatsapp',
        'fax*',
      ],
    },
    transit: {
      name: 'Bus und Bahn',
      words: 'öffentliche verkehrsmittel, öpnv, straßenbahn*, u bahn*, s bahn*',
      kinds: ['bus, busse, bushaltestelle*', 'bahn, zug, *bahnhof*'],
    },
    payment: {
      name: 'Bezahlung',
      words: '*zahlung*, zahlen, bezahlen, bezahle, zahle, bezahlt, zahlungsmittel*',
      kinds: [
        '*kreditkarte*, ec karte*, girokarte*, mit karte, karten, *kartenzahlung*, visa, mastercard',
        'bar, bargeld, barzahlung*',
        'paypal',
        'american express, amex',
        'bitcoin*, krypto*',
        'rechnung*',
        'apple pay',
        'google pay',
        'überweis*',
        'ratenzahlung*, raten',
      ],
    },
    pets: {
      name: 'Tiere',
      words: '*haustier*, tier, tiere',
      kinds: ['hund, hunde, hunden, hundes, welpe*, mein hund', 'katze*', 'vogel, vögel', 'pferd*'],
    },
    wifi: { name: 'WLAN', words: 'wlan, w lan, wifi, internet, hotspot' },
    access: {
      name: 'Barrierefreiheit',
      words:
        'rollstuhl*, barrierefrei*, behindert*, aufzug, fahrstuhl, lift, stufenlos, ohne stufen, rampe, stufen',
    },
    children: {
      name: 'Kinder',
      words:
        'kind, kinder, kindern, kindes, baby*, kleinkind*, *hochstuhl*, kinderstuhl*, familienfreundlich',
    },
    vegetarian: {
      name: 'vegetarische Gerichte',
      words: 'fleischlos*, ohne fleisch, pflanzlich*',
      kinds: ['vegetari*, veggie', 'vegan*'],
    },
    allergies: {
      name: 'Allergien',
      words: 'allergi*, unverträglich*',
      kinds: ['gluten*, zöliakie', 'nuss, nüsse, erdnuss*', 'laktose*, milchfrei*'],
    },
    collection: { name: 'Abholung', words: 'abhol*, hole~ab, holen~ab, holt~ab' },
    tracking: {
      name: 'Sendungsverfolgung',
      words: 'sendungsverfolgung, verfolgen',
      asked:
        'wo ist mein paket, wo ist meine bestellung, wo bleibt mein paket, wo bleibt meine bestellung',
    },
    takeaway: { name: 'Essen zum Mitnehmen', words: 'mitnehmen, zum mitnehmen, außer haus' },
    cancelling: {
      name: 'Absagen und Stornieren',
      words: 'stornier*, absag*, kündig*, sage~ab, storno*',
    },
    toilets: { name: 'Toiletten', words: 'toilette*, wc, klo, wickeltisch*' },
    smoking: { name: 'Rauchen', words: 'rauch*, raucher*, zigarette*' },
    outdoors: {
      name: 'Plätze im Freien',
      words: 'draußen, im freien, terrasse*, garten, biergarten*, außenbereich*',
    },
    vouchers: { name: 'Gutscheine', words: '*gutschein*' },
    discounts: {
      name: 'Rabatte',
      words: '*rabatt*, ermäßig*, nachlass',
      kinds: ['student*', 'senior*, rentner*'],
    },
    estimates: { name: 'Kostenvoranschläge', words: 'kostenvoranschl*, angebot, angebote' },
    holidays: { name: 'Feiertage', words: 'feiertag*, urlaub, betriebsferien' },
    jobs: {
      name: 'Stellen',
      words:
        'job, jobs, stellenangebot*, offene stellen, arbeiten bei, ausbildungsplatz*, bewerben, bewerbung*, praktikum',
    },
    owner: {
      name: 'die Menschen',
      words:
        '*inhaber*, chef, chefin, besitzer*, eigentümer*, geschäftsführer*, gegründet, gehört, leitung, leiter',
      asked: 'wem gehört',
      told: 'geführt von, wird geführt',
    },
    insurance: { name: 'Versicherung', words: '*versicherung*, *krankenkasse*, versichert' },
  },
  smallTalk: {
    greeting:
      'hallo, hi, hey, moin, servus, grüß gott, guten morgen, guten tag, guten abend, grüezi, hallöchen, schönen guten tag, freut mich',
    wellBeing:
      'wie geht es dir, wie geht es ihnen, wie gehts, wie geht s, wie geht es, alles gut bei dir, alles klar bei dir, wie läuft es, was gibt es neues',
    thanks:
      'danke, danke schön, dankeschön, vielen dank, besten dank, herzlichen dank, tausend dank, danke sehr, merci',
    goodbye:
      'tschüss, tschüs, auf wiedersehen, auf wiederhören, bis bald, bis später, bis dann, ciao, schönen tag noch, gute nacht, mach s gut, machs gut, ich muss los, das war alles, das war s',
    name: 'wie heißt du, wie heißen sie, dein name, ihr name, wie ist dein name, wie ist ihr name, mit wem spreche ich, wie darf ich dich nennen, hast du einen namen',
    identity:
      'wer bist du, wer sind sie, was bist du, was sind sie, bist du ein mensch, sind sie ein mensch, bist du echt, bist du ein roboter, bist du eine ki, sind sie eine ki, bist du eine maschine, bist du ein bot, spreche ich mit einem menschen, stell dich vor, stellen sie sich vor, erzähl von dir',
    abilities:
      'was kannst du, was können sie, was weißt du, was wissen sie, was kann ich fragen, was kann ich dich fragen, was kann ich sie fragen, hilfe, hilf mir, kannst du mir helfen, können sie mir helfen, wobei kannst du helfen, ich habe eine frage, wie können sie mir helfen',
    time: 'wie spät ist es, wie viel uhr ist es, wieviel uhr ist es, uhrzeit, was ist die uhrzeit',
    date: 'welcher tag ist heute, welches datum, welches datum ist heute, der wievielte ist heute, den wievielten haben wir, welchen tag haben wir, das heutige datum, was für ein tag ist heute',
    hearing:
      'kannst du mich hören, können sie mich hören, hörst du mich, hören sie mich, bist du da, sind sie da, bist du noch da, ist da jemand, verstehst du mich, verstehen sie mich, test, funktioniert das',
    sad: 'schlechter tag, schlechten tag, schlimmen tag, furchtbaren tag, ich bin traurig, mir geht es schlecht, mir geht s schlecht, mir geht es nicht gut, ich bin müde, ich bin krank, ich bin einsam, schlechte laune, ich bin gestresst',
    glad: 'gut, sehr gut, super, prima, toll, mir geht es gut, mir geht s gut, schön, wunderbar, perfekt, klasse, ausgezeichnet, freut mich zu hören',
    yes: 'ja, ja bitte, ja gerne, gerne, klar, natürlich, okay, ok, in ordnung, einverstanden, genau, verstehe, verstanden, stimmt, jawohl, mhm',
    no: 'nein, nein danke, nee, nö, lieber nicht, jetzt nicht, nichts, schon gut',
    repeat:
      'wie bitte, noch einmal, nochmal, noch mal, wiederhole, wiederholen sie, kannst du das wiederholen, können sie das wiederholen, was hast du gesagt, was haben sie gesagt, ich habe das nicht verstanden, das habe ich nicht verstanden, nicht gehört, entschuldigung',
  },
  replies: {
    greeting: 'Hallo, ich bin {name}.',
    greetingAgain: 'Hallo!',
    askMe: 'Was möchten Sie wissen?',
    wellBeing: 'Mir geht es gut, danke.',
    thanks: 'Gern geschehen.',
    goodbye: 'Auf Wiedersehen!',
    name: 'Ich heiße {name}.',
    identity: 'Ich bin {name}, ein KI-Avatar.',
    time: 'Nach der Uhr des Rechners, auf dem ich laufe, ist es {time}.',
    date: 'Nach der Uhr des Rechners, auf dem ich laufe, ist heute {date}.',
    hearing: 'Ja, Ihre Worte kommen bei mir an.',
    sad: 'Das tut mir leid. Ich hoffe, dass es bald besser wird.',
    glad: 'Das freut mich.',
    agreed: 'In Ordnung.',
    unknown: 'Das weiß ich leider nicht.',
    topics: 'Ich kann etwas sagen zu: {topics}. Was davon möchten Sie wissen?',
    nearest: 'Möchten Sie etwas hören zum Thema {topic}?',
    noModel:
      'Ich arbeite ohne Sprachmodell und kann nur mit den Worten antworten, die ich bekommen habe.',
    noFacts:
      'Ich arbeite ohne Sprachmodell und habe nichts bekommen, woraus ich antworten könnte; ich kann nur ein wenig plaudern.',
  },
};
