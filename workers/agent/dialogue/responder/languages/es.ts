import type { Language } from '../language.ts';

export const spanish: Language = {
  tag: 'es',
  fillers:
    'puedes podéis podrías vuestro vuestra vuestros vuestras hoy tenido he había tuve pasado realmente a al algo algún alguna alguno allí aquí así aún bien como con cual cuál cuáles cuando cuándo cuanto cuánto cuánta cuántos cuántas da dan dar de debo decir del desde dígame dime disponible disponibles donde dónde dos e el él ella ellos en entonces era es esa ese eso esta está están estar estas este esto estos estoy existe fue gracias gustaría ha hace hacen hacer hacéis hasta hay he hola ir la las le les lo los más me mi mí mis mucho muy nada ni no nos nosotros o ofrece ofrecen otra otro para pero poco poder podemos podría por porque posible puede pueden puedo pues que qué querer quería quien quién quiero quisiera saber se sea ser si sí sido sin sobre solo son soy su sus tal también tan te tener tenéis tengo ti tiene tienen tienes toda todas todo todos traer llevar tu tú tus u un una uno unos usted ustedes va vale van ver voy vosotros y ya yo favor permitido permiten permite acepta aceptan aceptáis incluido incluye número comer necesito pregunta mañana tarde noche hora',
  places:
    'restaurante tienda clínica consulta taller hotel cafetería café salón oficina museo empresa local negocio sitio',
  endings:
    'amientos amiento aciones acion ciones cion ando iendo ados adas ado ada idos idas ido ida ar er ir an en os as es o a e s',
  questions:
    'cuándo, dónde, qué, quién, quiénes, cómo, cuánto, cuánta, cuántos, cuántas, cuál, cuáles, por qué, puedo, puede, pueden, podría, hay, tienen, tiene, tienes, tenéis, es, son, está, están, hacen, hace, aceptan, acepta, venden, me gustaría, quiero, quisiera, quería, necesito, a qué hora, envían, debo, se puede',
  and: 'y, e, además, o, también',
  followUps: 'y, y los, y el, y qué tal, qué tal, qué hay de, qué pasa con, o, también',
  pronouns: 'él, ella, ellos, ellas, eso, esto, esta, este, estos, estas, lo, allí',
  instructions:
    'eres, usted es, tu tarea, su tarea, tu papel, nunca, siempre, no, responde, responda, habla, hable, sé, sea, actúa, si, cuando, di, ayuda, ayude, evita, usa, por favor',
  kinds: {
    when: 'cuándo, a qué hora, hasta qué hora, desde qué hora, qué días, qué día',
    where: 'dónde, adónde',
    howMuch:
      'cuánto cuesta, cuánto cuestan, cuánto vale, cuánto valen, qué precio, qué cuesta, cuánto es, cuánto cobran, cuál es el precio',
    howLong:
      'cuánto tiempo, cuánto tarda, cuánto tardan, cuánto dura, cuántos días, cuántas semanas, cuántas horas',
    howMany: 'cuántos, cuántas, cuánto',
    measure: 'cada cuánto, a qué distancia',
    who: 'quién, quiénes, de quién',
  },
  days: ['lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado*', 'domingo*'],
  until: 'a, hasta, al, hasta el',
  everyDay: 'todos los días, cada día, a diario, diariamente, 7 días a la semana',
  workdays: 'días laborables, entre semana, días hábiles',
  weekend: 'fin de semana, fines de semana',
  today: 'hoy, esta noche, ahora mismo, esta tarde',
  tomorrow: 'mañana',
  numbers:
    'las dos, las tres, las cuatro, las cinco, las seis, las siete, las ocho, las nueve, las diez, las once, las doce, mediodía, medianoche, y media',
  durations:
    'minuto*, hora, horas, día, días, semana*, mes, meses, año, años, al momento, inmediatamente, en el acto',
  free: 'gratis, gratuito*, gratuita*, sin coste, sin costo, nada',
  closed: 'cerrado*, cerrada*, cierra, cierre',
  topics: {
    hours: {
      name: 'el horario',
      words:
        'abre, abren, abrís, abierto*, abierta*, abrir, apertura, cierra, cierran, cerráis, cerrar, cerrado*, cerrada*, horario de apertura, horario de atención, horas de apertura',
      headed: 'horario*',
    },
    address: {
      name: 'la dirección',
      words: 'ubicado*, ubicada*, situado*, situada*, se encuentra',
      asked:
        'dónde están, dónde estáis, dónde estás, dónde se encuentra, dónde queda, dónde quedan, encontrarles, encontraros, cómo llego, cómo llegar, en qué calle, dónde está su, dónde os encuentro',
      told: 'nos encontrará, nos encuentra, encuéntranos, estamos en, visítenos',
      headed: 'dirección*, ubicación, cómo llegar, situación',
    },
    parking: { name: 'el aparcamiento', words: 'aparc*, estacion*, parking, parqueo, parquear' },
    booking: {
      name: 'las reservas',
      words:
        'reserv*, cita, citas, cita previa, pedir hora, pedir cita, pedir una cita, una mesa para',
    },
    price: {
      name: 'los precios',
      words:
        'precio*, tarifa*, cuesta, cuestan, coste, costo, caro, cara, barato, gratis, gratuito*, cobran',
    },
    delivery: {
      name: 'los envíos',
      words: 'envío*, envían, enviáis, enviar, entreg*, reparto, repartir, a domicilio',
    },
    returns: {
      name: 'las devoluciones',
      words: 'devol*, devuelv*, cambio*, cambiar un, cambiar una',
    },
    refunds: { name: 'los reembolsos', words: 'reembols*, mi dinero' },
    warranty: { name: 'la garantía', words: 'garantía*' },
    contact: {
      name: 'el contacto',
      words:
        'contact*, ponerme en contacto, atención al cliente, hablar con alguien, hablar con una persona',
      kinds: [
        'teléfono*, llamar, llamarles, llame, llamada, tel, móvil',
        'correo*, email*, e mail*, correo electrónico',
        'whatsapp',
        'fax',
      ],
    },
    transit: {
      name: 'el transporte público',
      words: 'transporte público, tranvía*, metro',
      kinds: ['autobús, autobuses, bus, parada de autobús', 'tren, trenes, estación'],
    },
    payment: {
      name: 'el pago',
      words: 'pag*, pagar, pago, formas de pago, medios de pago',
      kinds: [
        'tarjeta*, tarjeta de crédito, tarjetas de crédito, con tarjeta, visa, mastercard',
        'efectivo, en metálico',
        'paypal',
        'american express, amex',
        'bitcoin*, cripto*',
        'factura*',
        'apple pay',
        'google pay',
        'bizum',
        'transferencia*',
        'plazos, a plazos',
      ],
    },
    pets: {
      name: 'las mascotas',
      words: 'mascota*, animal, animales',
      kinds: ['perro*, perra*, cachorro*', 'gato*, gata*', 'pájaro*', 'caballo*'],
    },
    wifi: { name: 'el wifi', words: 'wifi, wi fi, internet' },
    access: {
      name: 'la accesibilidad',
      words:
        'silla de ruedas, sillas de ruedas, accesib*, discapacidad, discapacitad*, ascensor*, rampa*, sin escalones, escalones, movilidad reducida',
    },
    children: { name: 'los niños', words: 'niño*, niña*, bebé*, trona*, hijo*, hija*, infantil' },
    vegetarian: {
      name: 'los platos vegetarianos',
      words: 'sin carne',
      kinds: ['vegetarian*', 'vegan*'],
    },
    allergies: {
      name: 'las alergias',
      words: 'alergi*, alérgic*, intoleran*',
      kinds: [
        'gluten, sin gluten, celíac*',
        'nueces, frutos secos, cacahuete*',
        'lactosa, sin lactosa',
      ],
    },
    collection: { name: 'la recogida', words: 'recog*, pasar a buscar' },
    tracking: {
      name: 'el seguimiento',
      words: 'seguimiento, rastrear',
      asked: 'dónde está mi pedido, dónde está mi paquete',
    },
    takeaway: { name: 'la comida para llevar', words: 'para llevar' },
    cancelling: { name: 'las cancelaciones', words: 'cancel*, anular, anulación' },
    toilets: { name: 'los aseos', words: 'aseo*, baños, lavabo*, servicios' },
    smoking: { name: 'fumar', words: 'fumar, fuma, fumador*, cigarrillo*' },
    outdoors: { name: 'la terraza', words: 'terraza*, al aire libre, exterior*, jardín, fuera' },
    vouchers: {
      name: 'los vales de regalo',
      words:
        'vale de regalo, vales de regalo, tarjeta regalo, tarjetas regalo, tarjeta de regalo, tarjetas de regalo, cheque regalo',
    },
    discounts: {
      name: 'los descuentos',
      words: 'descuento*, rebaja*, código promocional',
      kinds: ['estudiante*', 'jubilado*, mayores'],
    },
    estimates: { name: 'los presupuestos', words: 'presupuesto*' },
    holidays: { name: 'los festivos', words: 'festivo*, vacaciones' },
    jobs: {
      name: 'el empleo',
      words:
        'empleo*, vacante*, trabajar con ustedes, trabajar aquí, ofertas de trabajo, prácticas',
    },
    owner: {
      name: 'el equipo',
      words: 'dueñ*, propietari*, jefe, jefa, fundador*, fundad*, pertenece, gerente',
      told: 'dirigido por, regentado por',
    },
    insurance: { name: 'el seguro', words: 'seguro médico, seguros, aseguradora*, mutua*' },
  },
  smallTalk: {
    greeting:
      'hola, buenas, buenos días, buenas tardes, buenas noches, qué tal, encantado, encantada, mucho gusto, saludos',
    wellBeing:
      'cómo estás, cómo está, cómo está usted, cómo te va, cómo le va, cómo va todo, qué tal estás, qué tal está, cómo andas, todo bien',
    thanks:
      'gracias, muchas gracias, mil gracias, muchísimas gracias, te lo agradezco, se lo agradezco',
    goodbye:
      'adiós, hasta luego, hasta pronto, hasta mañana, nos vemos, chao, chau, que tenga un buen día, que tengas un buen día, eso es todo, me tengo que ir',
    name: 'cómo te llamas, cómo se llama usted, cómo se llama, tu nombre, su nombre, cuál es tu nombre, cuál es su nombre, con quién hablo',
    identity:
      'quién eres, quién es usted, qué eres, qué es usted, eres humano, eres humana, es usted humano, eres una persona, eres real, eres un robot, es usted un robot, eres una ia, eres una máquina, preséntate, preséntese, hablo con una persona',
    abilities:
      'qué puedes hacer, qué puede hacer, qué sabes, qué sabe, qué sabes hacer, qué puedo preguntar, qué puedo preguntarte, ayuda, ayúdame, ayúdeme, puedes ayudarme, puede ayudarme, me puedes ayudar, me puede ayudar, tengo una pregunta',
    time: 'qué hora es, qué horas son, me dices la hora, tienes hora, dime la hora, la hora actual',
    date: 'qué día es hoy, qué fecha es, qué fecha es hoy, a qué día estamos, cuál es la fecha, la fecha de hoy, qué día es',
    hearing:
      'me oyes, me oye, me escuchas, me escucha, puedes oírme, puede oírme, estás ahí, está ahí, hay alguien, hay alguien ahí, me entiendes, me entiende, prueba, funciona esto',
    sad: 'mal día, día~horrible, día~terrible, día~malo, estoy triste, estoy mal, me siento mal, no estoy bien, estoy cansado, estoy cansada, estoy enfermo, estoy enferma, me siento solo, me siento sola',
    glad: 'bien, muy bien, genial, estupendo, perfecto, estoy bien, fantástico, excelente, fenomenal, me alegro',
    yes: 'sí, sí por favor, claro, claro que sí, por supuesto, vale, de acuerdo, ok, okay, bueno, adelante, entiendo, exacto, con gusto',
    no: 'no, no gracias, ahora no, nada, déjalo, da igual',
    repeat:
      'cómo, cómo dices, cómo dice, repite, repita, puedes repetir, puede repetir, puedes repetirlo, puede repetirlo, otra vez, no te he entendido, no lo he entendido, no entendí, no he oído, perdón, perdona, perdone, qué has dicho, qué ha dicho',
  },
  replies: {
    greeting: 'Hola, soy {name}.',
    greetingAgain: '¡Hola!',
    askMe: '¿Qué le gustaría saber?',
    wellBeing: 'Estoy bien, gracias.',
    thanks: 'De nada.',
    goodbye: '¡Hasta pronto!',
    name: 'Me llamo {name}.',
    identity: 'Soy {name}, un avatar de IA.',
    time: 'Según el reloj de la máquina en la que funciono, son las {time}.',
    date: 'Según el reloj de la máquina en la que funciono, hoy es {date}.',
    hearing: 'Sí, sus palabras me llegan.',
    sad: 'Lo siento mucho. Espero que pronto vaya mejor.',
    glad: 'Me alegro.',
    agreed: 'De acuerdo.',
    unknown: 'Lo siento, eso no lo sé.',
    topics: 'Puedo informarle sobre estos temas: {topics}. ¿Cuál le interesa?',
    nearest: '¿Quiere que le hable de este tema: {topic}?',
    noModel:
      'Funciono sin modelo de lenguaje y solo puedo responder con las palabras que me han dado.',
    noFacts:
      'Funciono sin modelo de lenguaje y no me han dado nada con lo que responder; solo puedo charlar un poco.',
  },
};
