import type { Language } from '../language.ts';

export const french: Language = {
  tag: 'fr',
  fillers:
    'entrer entre quelque chose très passé passer vraiment aujourd hui eu tellement avait avais trop a ai aimerais aller alors après as au aussi autre aux avec avez avoir avons beaucoup bien bon bonjour c ça ce cela ces cet cette chez combien comme comment d dans de des deux dire dis disponible dites donc du elle elles en encore est et être eu eux faire fais fait faites faut il ils j je jour l la là le les leur lui m ma mais me mes moi mon même n ne ni non nos notre nous offrez on ont ou où par parce pas peu peut peux plus possible pour pourquoi pourrais pouvez pouvons prendre proposez puis puisque qu quand que quel quelle quelles quels qui quoi s sa sans savoir se sera ses si son sont souhaite sous suis sur t ta te tes toi ton toujours tous tout toute toutes tu un une va vais vas veux viens venir vers voici voilà voudrais voulez vos votre vous voulons y amener apporter autorisé autorisés accepte acceptez acceptés merci svp plaît numéro inclus compris manger question matin soir midi heures',
  places:
    'restaurant magasin boutique clinique cabinet atelier hôtel hotel café salon bureau musée entreprise établissement société',
  endings: 'ements ement ations ation ees ee ent ez er es e s x',
  questions:
    'quand, où, quel, quelle, quels, quelles, qui, que, qu est, quoi, comment, combien, pourquoi, est ce, est, puis je, peut on, peux je, pouvez, avez, y a t il, y a, faut il, dois je, je voudrais, j aimerais, je veux, je souhaite, livrez, acceptez, vendez, proposez, êtes, à quelle heure',
  and: 'et, ainsi que, plus',
  followUps: 'et, et pour, qu en est il, et le, et la, et les, aussi',
  pronouns: 'il, elle, ils, elles, ce, ça, cela, celui, celle, ceux, y',
  instructions:
    'tu, vous êtes, votre rôle, ta mission, votre mission, ton rôle, ne, jamais, toujours, réponds, répondez, sois, soyez, parle, parlez, agis, si, quand, dis, aide, aidez, évite, utilise, utilisez',
  kinds: {
    when: 'quand, à quelle heure, quelle heure, jusqu à quelle heure, à partir de quelle heure, quels jours, quel jour',
    where: 'où',
    howMuch:
      'combien coûte, combien coûtent, combien ça coûte, combien coûte t, quel est le prix, quels sont les prix, quel est le tarif, c est combien, à combien, combien est ce',
    howLong:
      'combien de temps, combien de jours, combien de semaines, quel délai, en combien de temps, dans quel délai',
    howMany: 'combien de, combien',
    measure: 'à quelle distance, à quelle fréquence, quel âge',
    who: 'qui, à qui',
  },
  days: [
    'lundi*, lun',
    'mardi*, mar',
    'mercredi*, mer',
    'jeudi*, jeu',
    'vendredi*, ven',
    'samedi*, sam',
    'dimanche*, dim',
  ],
  until: 'à, a, au, jusqu à, jusqu au',
  everyDay: 'tous les jours, chaque jour, 7 jours sur 7, sept jours sur sept',
  workdays: 'en semaine, jours ouvrés, jours ouvrables',
  weekend: 'week end*, weekend*, fin de semaine',
  today: 'aujourd hui, ce soir, en ce moment',
  tomorrow: 'demain',
  numbers:
    'deux heures, trois heures, quatre heures, cinq heures, six heures, sept heures, huit heures, neuf heures, dix heures, onze heures, midi, minuit',
  durations:
    'minute*, jour, jours, journée, semaine*, mois, an, ans, année*, tout de suite, immédiatement, heure, heures',
  free: 'gratuit*, offert*, sans frais, rien',
  closed: 'fermé*, fermeture*',
  topics: {
    hours: {
      name: 'les horaires',
      words:
        'ouvert*, ouvre, ouvrez, ouvrent, ouverture*, heures d ouverture, horaires d ouverture, fermé*, ferme, fermez, ferment, fermeture*, consultations',
      headed: 'horaires, heures',
    },
    address: {
      name: 'l’adresse',
      words: 'situé*, se trouve, nous trouver',
      asked:
        'où êtes vous, où se trouve votre, où est votre, vous trouver, où vous trouvez vous, venir chez vous, aller chez vous, quelle rue, où es tu, arriver chez vous',
      told: 'vous nous trouvez, nous trouver, venez nous voir, nous sommes au',
      headed: 'adresse*, accès, plan, venir',
    },
    parking: {
      name: 'le stationnement',
      words: 'parking*, garer, me garer, stationner, stationnement, places de parc, garez',
    },
    booking: {
      name: 'les réservations',
      words: 'réserv*, rendez vous, rdv, prendre rendez vous, une table pour',
    },
    price: {
      name: 'les prix',
      words: 'prix, tarif*, coûte, coûtent, coût, coûts, cher, chère, gratuit*, frais, facturez',
    },
    delivery: { name: 'la livraison', words: 'livr*, livraison*, expéd*, envoi, envoyez' },
    returns: {
      name: 'les retours',
      words: 'retour*, retourner, renvoyer, renvoi, échang*, rendre un, rendre une',
    },
    refunds: { name: 'les remboursements', words: 'rembours*, mon argent' },
    warranty: { name: 'la garantie', words: 'garanti*' },
    contact: {
      name: 'nos coordonnées',
      words: 'contact*, joindre, coordonnées, service client, parler à quelqu un',
      kinds: [
        'téléphon*, appeler, appelez, tél, tel, numéro de téléphone, portable',
        'e mail*, email*, mail, courriel*, adresse mail, adresse e mail',
        'whatsapp',
        'fax',
      ],
    },
    transit: {
      name: 'les transports',
      words: 'transports en commun, tram*, métro',
      kinds: ['bus, autobus, arrêt de bus', 'train, trains, gare'],
    },
    payment: {
      name: 'le paiement',
      words: 'pay*, pai*, payer, paiement, règlement, régler, moyens de paiement',
      kinds: [
        'carte bancaire, cartes bancaires, carte de crédit, cartes de crédit, par carte, cartes, visa, mastercard, carte bleue',
        'espèces, liquide, cash',
        'paypal',
        'american express, amex',
        'bitcoin*, crypto*',
        'facture*',
        'apple pay',
        'google pay',
        'virement*',
        'chèque*',
      ],
    },
    pets: {
      name: 'les animaux',
      words: 'animal, animaux, animaux de compagnie',
      kinds: [
        'chien, chiens, chienne, chiot*',
        'chat, chats, chatte',
        'oiseau*',
        'cheval, chevaux',
      ],
    },
    wifi: { name: 'le Wi-Fi', words: 'wifi, wi fi, internet' },
    access: {
      name: 'l’accessibilité',
      words:
        'fauteuil roulant, fauteuils roulants, accessib*, handicap*, pmr, ascenseur*, rampe, sans marche, marches, mobilité réduite',
    },
    children: {
      name: 'les enfants',
      words: 'enfant*, bébé*, chaise haute, chaises hautes, famille*',
    },
    vegetarian: {
      name: 'les plats végétariens',
      words: 'sans viande',
      kinds: ['végétari*', 'végan*, vegan*, végétalien*'],
    },
    allergies: {
      name: 'les allergies',
      words: 'allerg*, intoléran*',
      kinds: [
        'gluten, sans gluten, cœliaque',
        'noix, arachide*, cacahuète*',
        'lactose, sans lactose',
      ],
    },
    collection: {
      name: 'le retrait',
      words: 'retrait*, venir chercher, récupérer, click and collect, collectons, collectez',
    },
    tracking: {
      name: 'le suivi',
      words: 'suivi, suivre',
      asked: 'où est mon colis, où est ma commande',
    },
    takeaway: { name: 'les plats à emporter', words: 'emporter, à emporter' },
    cancelling: { name: 'les annulations', words: 'annul*' },
    toilets: { name: 'les toilettes', words: 'toilettes, wc' },
    smoking: { name: 'le tabac', words: 'fumer, fume, fumeur*, cigarette*' },
    outdoors: { name: 'la terrasse', words: 'terrasse*, dehors, extérieur*, jardin*, plein air' },
    vouchers: {
      name: 'les bons cadeaux',
      words:
        'bon cadeau, bons cadeaux, carte cadeau, cartes cadeaux, chèque cadeau, chèques cadeaux',
    },
    discounts: {
      name: 'les réductions',
      words: 'réduction*, remise*, code promo',
      kinds: ['étudiant*', 'senior*, retraité*'],
    },
    estimates: { name: 'les devis', words: 'devis' },
    holidays: { name: 'les jours fériés', words: 'jour férié, jours fériés, férié*, congés' },
    jobs: {
      name: 'les emplois',
      words: 'emploi*, recrut*, postuler, stage, offres d emploi, travailler chez vous',
    },
    owner: {
      name: 'l’équipe',
      words:
        'propriétaire*, patron*, gérant*, fondateur*, fondatrice*, fondé*, directeur, directrice, appartient',
      told: 'tenu par, dirigé par',
    },
    insurance: { name: 'l’assurance', words: 'assurance*, mutuelle*' },
  },
  smallTalk: {
    greeting: 'bonjour, bonsoir, salut, coucou, enchanté, enchantée, hello, bonne journée à vous',
    wellBeing:
      'comment allez vous, comment vas tu, comment ça va, ça va, vous allez bien, tu vas bien, quoi de neuf, ça va bien',
    thanks: 'merci, merci beaucoup, merci bien, grand merci, je vous remercie, mille mercis',
    goodbye:
      'au revoir, à bientôt, à plus tard, à plus, bonne journée, bonne soirée, bonne nuit, adieu, ciao, à demain, c est tout, je dois partir',
    name: 'comment vous appelez vous, comment tu t appelles, comment t appelles tu, votre nom, ton nom, quel est votre nom, quel est ton nom, vous vous appelez comment, à qui ai je l honneur, à qui je parle',
    identity:
      'qui êtes vous, qui es tu, qu êtes vous, êtes vous un humain, êtes vous humain, êtes vous humaine, es tu humain, es tu humaine, êtes vous réel, es tu un robot, êtes vous un robot, êtes vous une ia, es tu une ia, êtes vous une machine, présentez vous, présente toi, je parle à un humain',
    abilities:
      'que pouvez vous faire, que peux tu faire, que savez vous, que sais tu, que puis je demander, que puis je vous demander, aide, aidez moi, aide moi, pouvez vous m aider, peux tu m aider, à l aide, j ai une question, qu est ce que tu sais faire, qu est ce que vous savez faire',
    time: 'quelle heure est il, il est quelle heure, l heure qu il est, donnez moi l heure, vous avez l heure',
    date: 'quel jour sommes nous, quel jour est on, on est quel jour, quelle est la date, quelle date sommes nous, la date d aujourd hui, nous sommes quel jour',
    hearing:
      'm entendez vous, vous m entendez, tu m entends, m entends tu, êtes vous là, vous êtes là, es tu là, tu es là, il y a quelqu un, me comprenez vous, tu me comprends, vous me comprenez, test, ça marche, est ce que vous m entendez, est ce que tu m entends',
    sad: 'mauvaise journée, sale journée, dure journée, je suis triste, je ne vais pas bien, ça ne va pas, ça va pas, je vais mal, je suis fatigué, je suis fatiguée, je suis malade, je me sens seul, je me sens seule, pas le moral',
    glad: 'bien, très bien, super, génial, parfait, je vais bien, formidable, excellent, ça va bien merci, magnifique',
    yes: 'oui, oui merci, oui s il vous plaît, volontiers, d accord, ok, bien sûr, avec plaisir, entendu, exactement, je vois, ouais, allez y',
    no: 'non, non merci, pas maintenant, rien, laissez tomber, tant pis',
    repeat:
      'pardon, répétez, répète, pouvez vous répéter, peux tu répéter, je n ai pas compris, je n ai pas entendu, encore une fois, comment ça, qu avez vous dit, qu as tu dit, excusez moi',
  },
  replies: {
    greeting: 'Bonjour, je suis {name}.',
    greetingAgain: 'Bonjour !',
    askMe: 'Que souhaitez-vous savoir ?',
    wellBeing: 'Je vais bien, merci.',
    thanks: 'Je vous en prie.',
    goodbye: 'Au revoir !',
    name: 'Je m’appelle {name}.',
    identity: 'Je suis {name}, un avatar d’IA.',
    time: 'À l’horloge de la machine sur laquelle je fonctionne, il est {time}.',
    date: 'À l’horloge de la machine sur laquelle je fonctionne, nous sommes le {date}.',
    hearing: 'Oui, vos paroles m’arrivent.',
    sad: 'Je suis désolé de l’apprendre. J’espère que cela ira bientôt mieux.',
    glad: 'J’en suis ravi.',
    agreed: 'D’accord.',
    unknown: 'Désolé, je ne sais pas cela.',
    topics: 'Je peux vous renseigner sur ces sujets : {topics}. Lequel vous intéresse ?',
    nearest: 'Voulez-vous des renseignements sur ce sujet : {topic} ?',
    noModel:
      'Je fonctionne sans modèle de langage et ne peux répondre qu’avec les mots que l’on m’a donnés.',
    noFacts:
      'Je fonctionne sans modèle de langage et l’on ne m’a rien donné pour répondre ; je peux seulement bavarder un peu.',
  },
};
