import type { Language } from '../language.ts';

export const english: Language = {
  tag: 'en',
  fillers:
    'friend friends wife husband partner a eat include includes included number numbers whats work works working support supports accept accepts allow allowed permitted welcome sorry excuse dear about actually afternoon again all also am an and any anybody anyone anything are around as at available away back be been being besides bring brings bringing but by came can cannot come comes could d did do does doing done each else ever evening every exactly feel feeling find for from get gets getting give given go goes going got guys had has have having he hello her here hi him his home how however i if in into is it its just kind know let like ll look looking lot m many may maybe me mean might mine more morning most much must my myself need needs never nice no not now of off offer offered offering often ok okay on once one ones or other our out over place please possible possibly provide question quite re really s said say second shall she should so some somebody someone something somewhere sort still such t take takes tell than thank thanks that the their them then there these they thing things think this those time to today together tomorrow too told until up us use used using usually ve very want wanted wants was way we well were what when where whether which while who whom whose why will wish with within would yes you your yours yourself company business',
  places:
    'restaurant shop store clinic practice workshop place cafe hotel salon office museum gym school studio bar house building',
  endings: 'ings ies ing ied est ed es er ly al s y e',
  forms:
    'made=make lent=lend sold=sell bought=buy kept=keep sent=send paid=pay broke=broken tyre=tire tyres=tire fixed=repair fix=repair fixes=repair fixing=repair mend=repair children=child kids=child kid=child ship=deliver',
  questions:
    'when, where, what, which, who, whose, why, how, is, are, am, was, do, does, did, can, could, will, would, may, must, should, shall, have you, has, i want to know, i would like, i d like, i need, i want, tell me, what s, where s, who s, how s',
  and: 'and, also, plus, or',
  followUps: 'and, what about, how about, what of, or, but what about, and what about, also',
  pronouns: 'it, they, them, this, these, those, he, she',
  instructions:
    'you, you re, you are, your job, your task, your role, never, always, do not, don t, please, be, speak, answer, act, keep, if, when, use, say, respond, reply, avoid, only answer, stay, help, greet, make sure, remember, tell',
  kinds: {
    when: 'when, what time, at what time, until when, till when, from when, how late, how early, what hour, what days, which days, which day, what day',
    where: 'where, where s, wheres',
    howMuch:
      'how much, how expensive, what does~cost, what do~cost, what is the price, what are the prices, what s the price, what do you charge, what do~charge, do you charge',
    howLong: 'how long, how soon, how fast, how many days, how many hours, how many weeks',
    howMany: 'how many',
    measure: 'how often, how far, how big, how old',
    who: 'who, whose, whom',
  },
  days: [
    'monday*, mon',
    'tuesday*, tue, tues',
    'wednesday*, wed',
    'thursday*, thu, thur, thurs',
    'friday*, fri',
    'saturday*, sat',
    'sunday*, sun',
  ],
  until: 'to, until, till, through, thru, up to',
  everyDay: 'daily, every day, all week, seven days a week, 7 days a week',
  workdays: 'weekday*, working days, workday*',
  weekend: 'weekend*',
  today: 'today, tonight, right now, this evening, this morning, this afternoon',
  tomorrow: 'tomorrow',
  numbers:
    'two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, noon, midnight, midday, half past, around the clock',
  durations:
    'minute*, hour*, day*, week*, month*, year*, second*, while you wait, at once, immediately, the same day, overnight',
  free: 'free, free of charge, no charge, nothing, no cost, complimentary',
  closed: 'closed, closing day',
  topics: {
    hours: {
      name: 'opening hours',
      words:
        'open, opens, opened, opening, opening hours, opening times, close, closes, closed, closing, closing time, business hours, office hours, consultation hours, reception hours, surgery hours, shut, shuts',
      headed: 'hours',
    },
    address: {
      name: 'the address',
      words: 'located, where we are',
      headed: 'address*, location*',
      asked:
        'where are you, where is your*, where is the place, where s your*, find you, reach you by, get to you, come to you, get there, how do i get there, which street, what street, your place, are you based, your office, your shop',
      told: 'find us, to find us, getting here, how to get here, visit us, we are based, our office is, you find us, situated, lies at, lies in, directions, come to us',
    },
    transit: {
      name: 'buses and trains',
      words: 'public transport*, tram*, metro, subway, underground',
      kinds: ['bus, buses, bus stop', 'train, trains, railway, train station, station'],
    },
    parking: {
      name: 'parking',
      words:
        'park, parks, parked, parking*, car park*, parking lot*, garage to park, leave my car, park my car',
    },
    booking: {
      name: 'reservations',
      words:
        'reserve, reserved, reservation*, book, booked, booking*, appointment*, book a table, reserve a table, make an appointment, make a reservation, make a booking, walk in, walk ins, table for',
    },
    pets: {
      name: 'pets',
      words: 'pet, pets, animal*',
      kinds: ['dog*, puppy, puppies, guide dog*', 'cat, cats, kitten*', 'bird*, parrot*', 'horse*'],
    },
    payment: {
      name: 'payment',
      words:
        'pay, pays, paying, paid, payment*, pay with, pay by, accept payment, methods of payment, means of payment',
      kinds: [
        'cards, credit card*, debit card*, visa, mastercard, contactless, by card, with card, card payment*',
        'cash',
        'paypal',
        'american express, amex',
        'bitcoin*, crypto*',
        'invoice*, on account',
        'apple pay',
        'google pay',
        'cheque*, check by mail',
        'bank transfer*, wire transfer*',
        'instalment*, installment*, klarna',
      ],
    },
    price: {
      name: 'prices',
      words:
        'price*, cost, costs, fee, fees, how much, expensive, rates, tariff*, free, free of charge, cheap*',
    },
    delivery: {
      name: 'delivery',
      words: 'deliver*, ship, ships, shipping, shipped, shipment*, dispatch*, postage, send to',
    },
    collection: {
      name: 'collection',
      words:
        'collect, collects, collected, collection, pick up, picked up, pickup, pick~up, click and collect',
    },
    tracking: {
      name: 'tracking a parcel',
      words: 'track, tracking, tracked',
      asked:
        'where is my parcel, where is my order, where is my package, where s my order, where s my parcel, where s my package, status of my order',
    },
    returns: {
      name: 'returns',
      words: 'return*, send~back, give~back, bring~back, take~back, exchange*',
    },
    refunds: { name: 'refunds', words: 'refund*, money back, my money' },
    warranty: { name: 'the warranty', words: 'warrant*, guarantee*' },
    contact: {
      name: 'how to reach us',
      words:
        'contact*, reach you, reach us, get in touch, customer service, talk to a person, talk to someone, speak to someone, speak to a person, write to you',
      kinds: [
        'phone*, telephone*, call you, call us, phone number*, tel, ring you, mobile number, give~a call, number to call',
        'email*, e mail*, mail address, mail you',
        'whatsapp',
        'fax*',
      ],
    },
    wifi: { name: 'the Wi-Fi', words: 'wifi, wi fi, wlan, internet, hotspot' },
    access: {
      name: 'access without steps',
      words:
        'wheelchair*, accessib*, disabled, disabilit*, step free, no steps, without steps, lift, elevator, ramp, barrier free, mobility, stairs',
    },
    children: {
      name: 'children',
      words:
        'child, child s, children*, kid, kids, baby, babies, toddler*, high chair*, highchair*, son, daughter, family friendly',
    },
    vegetarian: {
      name: 'vegetarian dishes',
      words: 'meatless, without meat, plant based',
      kinds: ['vegetarian*, veggie*', 'vegan*'],
    },
    allergies: {
      name: 'allergies',
      words: 'allerg*, intoleran*',
      kinds: [
        'gluten*, celiac, coeliac, celiac disease, coeliac disease, gluten free',
        'nut, nuts, peanut*, nut free',
        'lactose*, dairy, dairy free, lactose free, milk free',
      ],
    },
    jobs: {
      name: 'jobs',
      words:
        'job, jobs, career*, vacanc*, hiring, apply for, work for you, work here, apprenticeship*, internship*, open positions, open jobs',
    },
    toilets: {
      name: 'toilets',
      words: 'toilet*, restroom*, bathroom*, washroom*, loo, changing table*',
    },
    smoking: { name: 'smoking', words: 'smok*, smoking, cigarette*, vape, vaping' },
    outdoors: {
      name: 'the space outside',
      words: 'outdoor*, outside, terrace*, garden*, patio*, open air, sit outside',
    },
    vouchers: {
      name: 'vouchers',
      words: 'voucher*, gift card*, gift voucher*, gift certificate*',
    },
    takeaway: {
      name: 'food to take away',
      words: 'takeaway*, take away, taken away, takeout, take out, to go, take~away, take~home',
    },
    cancelling: { name: 'cancelling', words: 'cancel*, call off' },
    owner: {
      name: 'the people',
      words:
        'owner*, boss, owns, owned, who own, founder*, founded, manager, run by, runs the, runs this, leads the, head of, director*, in charge',
      told: 'belongs to, have run it, has run it, run the, led by, managed by',
    },
    discounts: {
      name: 'discounts',
      words: 'discount*, special offer*, coupon*, promo code*',
      kinds: ['student*', 'senior*, pensioner*', 'group discount*, group rate*'],
    },
    estimates: { name: 'estimates', words: 'estimate*, quote, quotes, quotation*' },
    holidays: { name: 'holidays', words: 'public holiday*, bank holiday*, holiday*' },
    insurance: { name: 'insurance', words: 'insurance*, insured, insurer*' },
  },
  smallTalk: {
    greeting:
      'hi, hello, hey, hiya, howdy, greetings, good morning, good afternoon, good evening, good day, hi there, hello there, nice to meet you, pleased to meet you',
    wellBeing:
      'how are you, how are you doing, how do you do, how is it going, how s it going, how are things, how have you been, are you well, are you ok, you ok, what s up, how do you feel',
    thanks:
      'thanks, thank you, thank you very much, many thanks, thanks a lot, thx, cheers, much appreciated, that helps',
    goodbye:
      'bye, goodbye, good bye, bye bye, see you, see you later, see you soon, see ya, have a nice day, have a good day, farewell, good night, take care, i have to go, that is all, that s all, that was all',
    name: 'your name, what s your name, what is your name, whats your name, what are you called, what do i call you, what should i call you, who am i talking to, who am i speaking to, who is this, do you have a name',
    identity:
      'who are you, what are you, are you human, are you a human, are you real, are you a real person, are you a person, are you a robot, are you a bot, are you an ai, are you ai, are you a machine, are you a computer, human being, am i talking to a human, am i talking to a person, am i talking to a machine, are you alive, introduce yourself, tell me about yourself, real human, are you chatgpt, do you have a language model',
    abilities:
      'what can you do, what do you do, what do you know, what can you tell me, what can i ask, what can i ask you, what should i ask, help, help me, can you help, can you help me, i need help, how can you help, what can you help me with, what do you know about, i have a question',
    time: 'what time is it, what s the time, what is the time, whats the time, tell me the time, do you have the time, do you know the time, what time is it now, what time do you have',
    date: 'what day is it, what day is today, what s the date, what is the date, what date is it, whats the date, today s date, which day is it, what is today s date, what year is it, what month is it, what is the day today',
    hearing:
      'can you hear me, do you hear me, can you hear us, am i audible, are you there, are you still there, is anyone there, is anybody there, anybody there, are you listening, can you understand me, do you understand me, hear me, is this working, does this work, test, testing, one two three, can you see me',
    sad: 'bad day, terrible day, awful day, rough day, hard day, horrible day, i am sad, i m sad, i feel sad, i am tired, i m tired, not well, not good, not so good, i am sick, i am lonely, feel lonely, i m lonely, i feel bad, feeling down, i m stressed, i am stressed, i am upset, i m upset, i feel terrible, i feel awful',
    glad: 'good, great, fine, i am fine, i m fine, i am good, i m good, i m well, very well, wonderful, perfect, awesome, excellent, cool, amazing, good day today, i like you, you are great, well done, good job, nice, love it, i am happy, i m happy',
    yes: 'yes, yeah, yep, yup, sure, of course, yes please, please do, please, go ahead, ok, okay, all right, alright, i see, understood, got it, right, tell me, do that, mhm, aha, exactly, that s right',
    no: 'no, nope, no thanks, no thank you, not now, never mind, nothing, nah, not really',
    repeat:
      'repeat, repeat that, say that again, say it again, come again, pardon, what did you say, could you repeat that, can you repeat that, i did not understand, i didn t understand, i did not hear, i didn t hear, i didn t catch that, excuse me, sorry, once more, again please',
  },
  replies: {
    greeting: 'Hello, I am {name}.',
    greetingAgain: 'Hello!',
    askMe: 'What would you like to know?',
    wellBeing: 'I am well, thank you.',
    thanks: 'You are welcome.',
    goodbye: 'Goodbye!',
    name: 'My name is {name}.',
    identity: 'I am {name}, an AI avatar.',
    time: 'By the clock of the machine that I run on, it is {time}.',
    date: 'By the clock of the machine that I run on, today is {date}.',
    hearing: 'Yes, your words reach me.',
    sad: 'I am sorry to hear that. I hope that it gets better soon.',
    glad: 'I am glad to hear that.',
    agreed: 'All right.',
    unknown: 'Sorry, I do not know that.',
    topics: 'I know about {topics}. Which would you like?',
    nearest: 'Shall I tell you about {topic}?',
    noModel: 'I work without a language model, so I can only answer in the words that I was given.',
    noFacts:
      'I work without a language model, and I was given nothing to answer from, so all I can do is small talk.',
  },
};
