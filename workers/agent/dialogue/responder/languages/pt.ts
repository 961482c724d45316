import type { Language } from '../language.ts';

export const portuguese: Language = {
  tag: 'pt',
  fillers:
    'vosso vossa vossos hoje tive tinha realmente passei a à ainda algo algum alguma ali ao aos aqui as às até bem bom boa com como da dá dar das de deles depois desde devo diga dizer do dos disponível disponíveis duas e é ela elas ele eles em então entre era essa esse esta está estão estar estava este estou eu existe faz fazem fazer ficam foi gostaria há isso isto já lá lhe mais mas me meu minha meus minhas muito na nas nem no nos nós nossa nosso não num numa o oferecem obrigada obrigado olá onde os ou outra outro para pela pelo pergunta pode podem poderia podes podia por porque posso possível pouco precisa preciso qual quais qual quando quanta quantas quanto quantos que quê quem queria quero saber se sem sempre ser seu seus sua suas são só sobre também te tem têm temos tens tenho ter teu toda todas todo todos tu tua tudo um uma uns vai vão você vocês vou levar trazer permitido permitidos permitem aceita aceitam incluído incluída inclui número comer manhã tarde noite hora horas favor',
  places:
    'restaurante loja clínica consultório oficina hotel café salão escritório museu empresa estabelecimento lugar',
  endings:
    'amentos amento acoes acao coes cao ando endo ados adas ado ada idos idas ido ida ar er ir am em os as es o a e s',
  questions:
    'quando, onde, que, quem, como, quanto, quanta, quantos, quantas, qual, quais, o que, porque, por que, posso, pode, podem, poderia, há, têm, tem, é, são, está, estão, fazem, faz, aceitam, aceita, vendem, gostaria, quero, queria, preciso, a que horas, entregam, enviam, existe, vocês',
  and: 'e, também, ou, além disso',
  followUps: 'e, e aos, e quanto, e se, ou, também, que tal',
  pronouns: 'ele, ela, eles, elas, isso, isto, este, esta, estes, estas, lá',
  instructions:
    'és, você é, a sua tarefa, sua tarefa, o seu papel, nunca, sempre, não, responda, responde, fale, fala, seja, sê, aja, se, quando, diga, ajude, ajuda, evite, use, por favor',
  kinds: {
    when: 'quando, a que horas, que horas, até que horas, a partir de que horas, que dias, quais dias, em que dias',
    where: 'onde, aonde',
    howMuch:
      'quanto custa, quanto custam, quanto é, quanto fica, qual é o preço, qual o preço, quais são os preços, que preço, quanto cobram',
    howLong:
      'quanto tempo, quanto demora, quanto dura, quantos dias, quantas semanas, quantas horas',
    howMany: 'quantos, quantas, quanto',
    measure: 'com que frequência, a que distância',
    who: 'quem, de quem',
  },
  days: [
    'segunda feira, segundas feiras, segunda, segundas, seg',
    'terça feira, terças feiras, terça, terças, ter',
    'quarta feira, quartas feiras, quarta, quartas, qua',
    'quinta feira, quintas feiras, quinta, quintas, qui',
    'sexta feira, sextas feiras, sexta, sextas, sex',
    'sábado*, sáb',
    'domingo*, dom',
  ],
  until: 'a, à, até, ao, até à, até a',
  everyDay: 'todos os dias, diariamente, cada dia, 7 dias por semana',
  workdays: 'dias úteis, durante a semana',
  weekend: 'fim de semana, fins de semana, fim de semana',
  today: 'hoje, esta noite, hoje à noite, agora mesmo',
  tomorrow: 'amanhã',
  numbers:
    'às duas, às três, às quatro, às cinco, às seis, às sete, às oito, às nove, às dez, às onze, meio dia, meia noite, e meia',
  durations:
    'minuto*, hora, horas, dia, dias, semana*, mês, meses, ano, anos, na hora, imediatamente',
  free: 'grátis, gratuit*, sem custo, nada, de graça',
  closed: 'fechad*, encerrad*',
  topics: {
    hours: {
      name: 'o horário',
      words:
        'abre, abrem, abert*, abrir, abertura, fecha, fecham, fechad*, fechar, encerra, encerrad*, horário de funcionamento, horário de atendimento, horário de abertura, horas de abertura',
      headed: 'horário*',
    },
    address: {
      name: 'a morada',
      words: 'localizad*, situad*, fica na rua, ficamos na',
      asked:
        'onde estão, onde ficam, onde fica a vossa, onde é que ficam, onde vos encontro, onde se encontram, como chego, como chegar, em que rua, onde estás, onde está você, onde vocês ficam',
      told: 'encontra nos, encontre nos, estamos na, visite nos',
      headed: 'morada, endereço, localização, como chegar, onde estamos',
    },
    parking: {
      name: 'o estacionamento',
      words: 'estacion*, parque de estacionamento, parqueamento, garagem',
    },
    booking: {
      name: 'as reservas',
      words:
        'reserv*, marcação, marcações, marcar, agendar, agendamento*, consulta marcada, uma mesa para',
    },
    price: {
      name: 'os preços',
      words:
        'preço*, tarifa*, custa, custam, custo, custos, caro, cara, barato, grátis, gratuit*, cobram',
    },
    delivery: {
      name: 'as entregas',
      words: 'entreg*, envio*, enviam, enviar, expedição, frete, ao domicílio',
    },
    returns: { name: 'as devoluções', words: 'devol*, troca, trocas, trocar' },
    refunds: { name: 'os reembolsos', words: 'reembols*, o meu dinheiro, meu dinheiro' },
    warranty: { name: 'a garantia', words: 'garantia*' },
    contact: {
      name: 'o contacto',
      words: 'contact*, contat*, apoio ao cliente, falar com alguém, falar com uma pessoa',
      kinds: [
        'telefon*, ligar, ligue, tel, telemóvel, celular, telefonar',
        'email*, e mail*, correio eletrónico',
        'whatsapp',
        'fax',
      ],
    },
    transit: {
      name: 'os transportes',
      words: 'transportes públicos, transporte público, elétrico, metro, metrô',
      kinds: ['autocarro*, ônibus, paragem', 'comboio*, trem, estação'],
    },
    payment: {
      name: 'o pagamento',
      words: 'pag*, pagar, pagamento, formas de pagamento',
      kinds: [
        'cartão, cartões, cartão de crédito, cartões de crédito, multibanco, com cartão, visa, mastercard',
        'dinheiro, numerário',
        'paypal',
        'american express, amex',
        'bitcoin*, cripto*',
        'fatura*',
        'apple pay',
        'google pay',
        'mb way',
        'pix',
        'transferência*',
        'prestações',
      ],
    },
    pets: {
      name: 'os animais',
      words: 'animal, animais',
      kinds: ['cão, cães, cachorro*, cadela*', 'gato*, gata*', 'pássaro*', 'cavalo*'],
    },
    wifi: { name: 'o Wi-Fi', words: 'wifi, wi fi, internet' },
    access: {
      name: 'a acessibilidade',
      words:
        'cadeira de rodas, cadeiras de rodas, acessib*, acessível, deficiên*, elevador*, rampa*, sem degraus, degraus, mobilidade reduzida',
    },
    children: {
      name: 'as crianças',
      words: 'criança*, bebé*, bebê*, filho*, filha*, cadeirinha*, cadeiras altas, cadeira alta',
    },
    vegetarian: {
      name: 'os pratos vegetarianos',
      words: 'sem carne',
      kinds: ['vegetarian*', 'vegan*, vegano*'],
    },
    allergies: {
      name: 'as alergias',
      words: 'alergi*, alérgic*, intolerân*',
      kinds: [
        'glúten, sem glúten, celíac*',
        'nozes, amendoim, amendoins, frutos secos',
        'lactose, sem lactose',
      ],
    },
    collection: { name: 'a recolha', words: 'recolh*, levantar, levantamento, retirada' },
    tracking: {
      name: 'o seguimento da encomenda',
      words: 'rastrear, rastreio, seguimento',
      asked: 'onde está a minha encomenda, onde está o meu pedido, onde está meu pedido',
    },
    takeaway: { name: 'a comida para levar', words: 'para levar, takeaway, take away' },
    cancelling: { name: 'os cancelamentos', words: 'cancel*, desmarc*, anular' },
    toilets: {
      name: 'as casas de banho',
      words: 'casa de banho, casas de banho, banheiro*, sanitário*',
    },
    smoking: { name: 'o fumo', words: 'fumar, fuma, fumador*, cigarro*' },
    outdoors: {
      name: 'a esplanada',
      words: 'esplanada*, terraço*, ao ar livre, lá fora, exterior*, jardim',
    },
    vouchers: {
      name: 'os vales de oferta',
      words: 'vale de oferta, vales de oferta, vale presente, cartão presente, cheque prenda',
    },
    discounts: {
      name: 'os descontos',
      words: 'descont*, código promocional',
      kinds: ['estudante*', 'idoso*, reformado*'],
    },
    estimates: { name: 'os orçamentos', words: 'orçamento*' },
    holidays: { name: 'os feriados', words: 'feriado*, férias' },
    jobs: {
      name: 'os empregos',
      words:
        'emprego*, vaga, vagas, trabalhar convosco, trabalhar com vocês, estágio*, candidatar*',
    },
    owner: {
      name: 'a equipa',
      words: 'dono, dona, donos, proprietári*, chefe, fundador*, fundad*, pertence, gerente',
    },
    insurance: { name: 'o seguro', words: 'seguro de saúde, seguros, seguradora*' },
  },
  smallTalk: {
    greeting: 'olá, oi, bom dia, boa tarde, boa noite, viva, prazer, muito prazer, alô',
    wellBeing:
      'como estás, como está, como vai, como vai você, como você está, tudo bem, tudo bom, como te sentes',
    thanks: 'obrigado, obrigada, muito obrigado, muito obrigada, agradeço, valeu',
    goodbye:
      'adeus, tchau, até logo, até breve, até amanhã, até já, tenha um bom dia, tem um bom dia, é tudo, tenho de ir, tenho que ir',
    name: 'como te chamas, como se chama, como você se chama, o teu nome, o seu nome, qual é o teu nome, qual é o seu nome, qual o seu nome, com quem falo, com quem estou a falar',
    identity:
      'quem és, quem és tu, quem é você, quem é, o que és, o que é você, és humano, és humana, você é humano, você é humana, você é uma pessoa, és uma pessoa, és real, és um robô, você é um robô, você é uma ia, és uma ia, és uma máquina, apresenta te, apresente se',
    abilities:
      'o que podes fazer, o que pode fazer, o que você pode fazer, o que sabes, o que sabe, o que posso perguntar, ajuda, ajuda me, ajude me, podes ajudar me, pode ajudar me, pode me ajudar, tenho uma pergunta',
    time: 'que horas são, que hora é, diz me as horas, sabes as horas, tem horas',
    date: 'que dia é hoje, qual é a data, qual a data de hoje, a data de hoje, que dia é, em que dia estamos, que data é hoje',
    hearing:
      'consegues ouvir me, consegue ouvir me, ouves me, ouve me, está a ouvir me, estás a ouvir me, você me ouve, está me ouvindo, estás aí, está aí, está alguém aí, tem alguém aí, entendes me, você me entende, teste, funciona',
    sad: 'mau dia, dia~mau, dia~ruim, dia~horrível, dia~péssimo, estou triste, estou mal, não estou bem, estou cansado, estou cansada, estou doente, sinto me mal, sinto me sozinho, sinto me sozinha',
    glad: 'bem, muito bem, ótimo, perfeito, estou bem, fantástico, excelente, maravilha, que bom, legal',
    yes: 'sim, sim por favor, claro, com certeza, está bem, ok, okay, de acordo, certo, entendo, exato, pode ser',
    no: 'não, não obrigado, não obrigada, agora não, nada, deixa estar, deixe estar',
    repeat:
      'como, como disse, repete, repita, podes repetir, pode repetir, não percebi, não entendi, não ouvi, outra vez, de novo, o que disseste, o que disse, desculpe, desculpa, perdão',
  },
  replies: {
    greeting: 'Olá, sou {name}.',
    greetingAgain: 'Olá!',
    askMe: 'O que gostaria de saber?',
    wellBeing: 'Estou bem, obrigado.',
    thanks: 'De nada.',
    goodbye: 'Até breve!',
    name: 'Chamo-me {name}.',
    identity: 'Sou {name}, um avatar de IA.',
    time: 'Pelo relógio da máquina em que funciono, são {time}.',
    date: 'Pelo relógio da máquina em que funciono, hoje é {date}.',
    hearing: 'Sim, as suas palavras chegam até mim.',
    sad: 'Lamento. Espero que melhore em breve.',
    glad: 'Fico contente.',
    agreed: 'Está bem.',
    unknown: 'Lamento, isso não sei.',
    topics: 'Posso informar sobre estes temas: {topics}. Qual lhe interessa?',
    nearest: 'Quer saber algo sobre este tema: {topic}?',
    noModel: 'Funciono sem modelo de linguagem e só posso responder com as palavras que me deram.',
    noFacts:
      'Funciono sem modelo de linguagem e não me deram nada com que responder; só posso conversar um pouco.',
  },
};
