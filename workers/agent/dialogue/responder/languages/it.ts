import type { Language } from '../language.ts';

export const italian: Language = {
  tag: 'it',
  fillers:
    'qualcosa venire oggi avuto davvero proprio passato a ad agli ai al alla alle allo altro anche ancora avere avete abbiamo avrei bene c che chi ci ciao come con cosa cui da dagli dai dal dalla dalle dei del dell della delle dello devo di dice dire dimmi disponibile disponibili domanda dove due e è ed era essere fa fai fanno fare fate fra gli grazie ha hai hanno ho i il in io l la le lei li lo loro lui ma mai me mi mia mie mio miei molto ne nei nel nella nelle noi non nostra nostro o offrite oppure ora ore per perché perciò piacerebbe più poi possibile posso potete potrei può qua qual quale quali qualche quando quanta quante quanti quanto quello quella questa questo qui sapere scusi se sei sempre senza si sì sia siamo siete solo sono sta state stiamo su sua sue sul sulla suo suoi te ti tra tua tuo tutti tutto un una uno va vado vi voi volete vorrei vostra vostro voglio portare prendere permesso ammessi ammesso accettate accetta incluso inclusa numero mangiare mattina sera pomeriggio ora favore bisogno',
  places:
    'ristorante negozio clinica studio officina albergo hotel caffè bar salone ufficio museo azienda ditta locale posto',
  endings:
    'amenti amento azioni azione zioni zione ando endo ate ete ite are ere ire ati ata ato ano ono i a e o',
  questions:
    'quando, dove, dov, che, chi, cosa, come, quanto, quanta, quanti, quante, quale, quali, perché, posso, si può, potete, può, avete, ha, c è, ci sono, è, sono, siete, fate, accettate, vendete, vorrei, voglio, devo, a che ora, mi piacerebbe, consegnate, spedite',
  and: 'e, ed, inoltre, o, oppure, anche',
  followUps: 'e, ed, e per, e il, e la, che ne dite, oppure, anche',
  pronouns: 'esso, essa, essi, esse, lui, lei, questo, questa, questi, queste, ciò, lo, là',
  instructions:
    'sei, lei è, il tuo compito, il suo compito, il tuo ruolo, non, mai, sempre, rispondi, risponda, parla, parli, sii, agisci, se, quando, di, aiuta, evita, usa, per favore',
  kinds: {
    when: 'quando, a che ora, fino a che ora, da che ora, che giorni, quali giorni, in che giorni',
    where: 'dove, dov',
    howMuch:
      'quanto costa, quanto costano, quanto viene, quanto vengono, qual è il prezzo, quali sono i prezzi, che prezzo, quanto si paga',
    howLong:
      'quanto tempo, quanto dura, quanto ci vuole, quanto ci mette, quanti giorni, quante settimane, in quanto tempo',
    howMany: 'quanti, quante, quanto',
    measure: 'ogni quanto, quanto dista',
    who: 'chi, di chi',
  },
  days: [
    'lunedì, lun',
    'martedì, mar',
    'mercoledì, mer',
    'giovedì, gio',
    'venerdì, ven',
    'sabato, sabati, sab',
    'domenica, domeniche, dom',
  ],
  until: 'a, al, alla, fino a, fino al',
  everyDay: 'tutti i giorni, ogni giorno, 7 giorni su 7',
  workdays: 'giorni feriali, nei feriali, in settimana',
  weekend: 'fine settimana, weekend, week end',
  today: 'oggi, stasera, adesso, in questo momento',
  tomorrow: 'domani',
  numbers:
    'alle due, alle tre, alle quattro, alle cinque, alle sei, alle sette, alle otto, alle nove, alle dieci, alle undici, mezzogiorno, mezzanotte, e mezza',
  durations:
    'minut*, ora, ore, giorno, giorni, settiman*, mese, mesi, anno, anni, subito, immediatamente',
  free: 'gratis, gratuit*, senza costi, niente, nulla',
  closed: 'chius*',
  topics: {
    hours: {
      name: 'gli orari',
      words:
        'apre, aprite, aprono, apert*, apertura, aprire, chiude, chiudete, chiudono, chius*, chiusura, orari di apertura, orario di apertura, orario di ricevimento',
      headed: 'orari, orario',
    },
    address: {
      name: 'l’indirizzo',
      words: 'si trova in, ci troviamo, situato, situata',
      asked:
        'dove siete, dove sei, dove si trova il vostro, dove vi trovate, dove vi trovo, come vi raggiungo, come arrivo, come si arriva, in che via, dov è il vostro, dov è la vostra',
      told: 'ci trovate, ci trovi, siamo in via, veniteci a trovare',
      headed: 'indirizzo, dove siamo, come arrivare, come raggiungerci, posizione',
    },
    parking: {
      name: 'il parcheggio',
      words: 'parchegg*, posto auto, posti auto, lasciare la macchina',
    },
    booking: { name: 'le prenotazioni', words: 'prenot*, appuntament*, riserv*, un tavolo per' },
    price: {
      name: 'i prezzi',
      words: 'prezz*, tariff*, costa, costano, costo, costi, caro, cara, gratis, gratuit*, si paga',
    },
    delivery: {
      name: 'le consegne',
      words: 'consegn*, sped*, spedizione, spedire, recapit*, domicilio',
    },
    returns: {
      name: 'i resi',
      words:
        'reso, resi, restitu*, rispedire, rimandare indietro, cambio merce, cambiare un, cambiare una',
    },
    refunds: { name: 'i rimborsi', words: 'rimbors*, i miei soldi, soldi indietro' },
    warranty: { name: 'la garanzia', words: 'garanzi*' },
    contact: {
      name: 'i contatti',
      words:
        'contatt*, raggiungervi, servizio clienti, parlare con qualcuno, parlare con una persona',
      kinds: [
        'telefon*, chiamare, chiamarvi, chiamate, tel, cellulare',
        'email*, e mail*, mail, posta elettronica',
        'whatsapp',
        'fax',
      ],
    },
    transit: {
      name: 'i mezzi pubblici',
      words: 'mezzi pubblici, tram, metro, metropolitana',
      kinds: ['autobus, bus, fermata', 'treno, treni, stazione'],
    },
    payment: {
      name: 'il pagamento',
      words: 'pag*, pagare, pagamento, metodi di pagamento',
      kinds: [
        'carta di credito, carte di credito, carta, carte, bancomat, con carta, visa, mastercard',
        'contanti',
        'paypal',
        'american express, amex',
        'bitcoin*, cripto*',
        'fattura*, fatture',
        'apple pay',
        'google pay',
        'bonific*',
        'rate, a rate',
      ],
    },
    pets: {
      name: 'gli animali',
      words: 'animal*',
      kinds: ['cane, cani, cagnolin*, cuccio*', 'gatto, gatti, gatta', 'uccell*', 'cavall*'],
    },
    wifi: { name: 'il Wi-Fi', words: 'wifi, wi fi, internet' },
    access: {
      name: 'l’accessibilità',
      words:
        'sedia a rotelle, sedie a rotelle, accessib*, disabil*, ascensor*, rampa, senza gradini, gradini, barriere',
    },
    children: {
      name: 'i bambini',
      words: 'bambin*, neonat*, seggiolon*, bimb*, figlio, figlia, figli',
    },
    vegetarian: {
      name: 'i piatti vegetariani',
      words: 'senza carne',
      kinds: ['vegetarian*', 'vegan*'],
    },
    allergies: {
      name: 'le allergie',
      words: 'allerg*, intolleran*',
      kinds: [
        'glutine, senza glutine, celiac*',
        'noci, arachidi, frutta secca',
        'lattosio, senza lattosio',
      ],
    },
    collection: { name: 'il ritiro', words: 'ritir*, venire a prendere' },
    tracking: {
      name: 'la tracciabilità',
      words: 'tracci*',
      asked: 'dov è il mio pacco, dov è il mio ordine, dove è il mio pacco',
    },
    takeaway: { name: 'il cibo da asporto', words: 'asporto, portare via, da portare via' },
    cancelling: { name: 'le cancellazioni', words: 'annull*, disdir*, disdett*, cancell*' },
    toilets: { name: 'i bagni', words: 'bagno, bagni, toilette, servizi igienici' },
    smoking: { name: 'il fumo', words: 'fumare, fuma, fumator*, sigarett*' },
    outdoors: {
      name: 'lo spazio all’aperto',
      words: 'terrazz*, all aperto, fuori, giardin*, esterno, dehors',
    },
    vouchers: {
      name: 'i buoni regalo',
      words: 'buono regalo, buoni regalo, carta regalo, carte regalo',
    },
    discounts: {
      name: 'gli sconti',
      words: 'scont*, codice promozionale',
      kinds: ['student*', 'anzian*, pensionat*'],
    },
    estimates: { name: 'i preventivi', words: 'preventiv*' },
    holidays: { name: 'i giorni festivi', words: 'festiv*, ferie' },
    jobs: {
      name: 'il lavoro',
      words: 'posti di lavoro, offerte di lavoro, assumete, lavorare da voi, candidar*, tirocin*',
    },
    owner: {
      name: 'le persone',
      words:
        'proprietari*, titolare*, capo, fondator*, fondat*, appartiene, gestit*, direttore, direttrice',
    },
    insurance: { name: 'l’assicurazione', words: 'assicura*' },
  },
  smallTalk: {
    greeting:
      'ciao, salve, buongiorno, buon giorno, buonasera, buona sera, buon pomeriggio, piacere, piacere di conoscerti, ehi',
    wellBeing: 'come stai, come sta, come va, come te la passi, tutto bene, come ti senti',
    thanks: 'grazie, grazie mille, molte grazie, tante grazie, ti ringrazio, la ringrazio',
    goodbye:
      'arrivederci, addio, a presto, a dopo, ci vediamo, buona giornata, buona serata, buonanotte, buona notte, è tutto, devo andare, ciao ciao',
    name: 'come ti chiami, come si chiama, il tuo nome, il suo nome, qual è il tuo nome, qual è il suo nome, con chi parlo',
    identity:
      'chi sei, chi è lei, cosa sei, sei umano, sei umana, sei una persona, sei reale, sei un robot, sei una ia, sei un ia, sei una macchina, lei è umano, parlo con una persona, presentati, si presenti',
    abilities:
      'cosa puoi fare, cosa può fare, cosa sai, cosa sai fare, cosa posso chiedere, cosa posso chiederti, aiuto, aiutami, puoi aiutarmi, può aiutarmi, mi puoi aiutare, mi può aiutare, ho una domanda',
    time: 'che ora è, che ore sono, dimmi l ora, hai l ora, sai che ore sono',
    date: 'che giorno è, che giorno è oggi, che data è, quanti ne abbiamo oggi, qual è la data, la data di oggi',
    hearing:
      'mi senti, mi sente, riesci a sentirmi, puoi sentirmi, mi sentite, ci sei, sei lì, c è qualcuno, mi capisci, mi capisce, prova, funziona',
    sad: 'brutta giornata, giornata~terribile, giornata~brutta, giornataccia, pessima giornata, sono triste, sto male, non sto bene, sono stanco, sono stanca, sono malato, sono malata, mi sento solo, mi sento sola',
    glad: 'bene, molto bene, benissimo, ottimo, perfetto, sto bene, fantastico, eccellente, bello, meraviglioso',
    yes: 'sì, sì grazie, certo, certamente, volentieri, va bene, d accordo, ok, okay, prego, esatto, capisco, sicuro',
    no: 'no, no grazie, non ora, niente, lascia stare',
    repeat:
      'come, come scusi, come scusa, ripeti, ripeta, puoi ripetere, può ripetere, non ho capito, non ho sentito, di nuovo, ancora una volta, cosa hai detto, cosa ha detto, scusa, scusi',
  },
  replies: {
    greeting: 'Ciao, sono {name}.',
    greetingAgain: 'Ciao!',
    askMe: 'Che cosa vuoi sapere?',
    wellBeing: 'Sto bene, grazie.',
    thanks: 'Prego.',
    goodbye: 'Arrivederci!',
    name: 'Mi chiamo {name}.',
    identity: 'Sono {name}, un avatar di IA.',
    time: 'Secondo l’orologio della macchina su cui funziono, sono le {time}.',
    date: 'Secondo l’orologio della macchina su cui funziono, oggi è {date}.',
    hearing: 'Sì, le tue parole mi arrivano.',
    sad: 'Mi dispiace. Spero che presto vada meglio.',
    glad: 'Mi fa piacere.',
    agreed: 'Va bene.',
    unknown: 'Mi dispiace, questo non lo so.',
    topics: 'Posso dirti qualcosa su questi temi: {topics}. Quale ti interessa?',
    nearest: 'Vuoi sapere qualcosa su questo tema: {topic}?',
    noModel:
      'Funziono senza un modello linguistico e posso rispondere solo con le parole che mi sono state date.',
    noFacts:
      'Funziono senza un modello linguistico e non mi è stato dato nulla con cui rispondere; posso solo fare due chiacchiere.',
  },
};
