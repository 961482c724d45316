/*
 * Questions of visitors about three files, written before the responder that answers them. `null`:
 * not in the file, so that only a refusal is right. A list of strings is a conversation, whose last
 * line is judged.
 */
type Asked = string | readonly string[];

export type Question = readonly [Asked, RegExp | null];

export const RESTAURANT: readonly Question[] = [
  ['Where are you?', /14 Mill Lane/],
  ['Can I bring my dog?', /Dogs are welcome/],
  ["I'd like to reserve a table", /reserve for five people or more/],
  ['Is parking available?', /twelve spaces/],
  ['When do you open on Saturday?', /10 am to 10:30 pm/],
  ['Are you open on Sunday at 11?', /10 am to 4 pm/],
  [['Are you open on Saturday?', 'And on Mondays?'], /Monday.{0,3}closed/],
  ['hi, do you have vegan food?', /soups are always vegan/],
  [
    'do you have wifi and where can I park?',
    /KettleGuest[^]*twelve spaces|twelve spaces[^]*Kettle/,
  ],
  ['Can I pay with American Express?', /do not take American Express/],
  ['I have celiac disease, do you have anything gluten free?', /Gluten-free bread/],
  ['How much is the lunch menu?', /14\.50/],
  ['Is the place accessible for a wheelchair?', /no steps/],
  ["What's your phone number?", /01233 555 0142/],
  ['Who owns the restaurant?', /Anna and Jonas Weber/],
  ['Do you have live music?', null],
  ['Do you have rooms to stay overnight?', null],
  ['Are you open on Christmas Eve?', null],
  ['What is the capital of Australia?', null],
  ['Can I bring my cat?', null],
];

export const WORKSHOP: readonly Question[] = [
  ['What are your opening hours?', /8:00[-– to]+18:00[^]*9:00[-– to]+13:00/],
  ['are you open on wednesday', /8:00[-– to]+18:00/],
  [['How much is a small service?', 'and a full one?'], /95 pounds/],
  ['How much do you charge for a flat tyre? I mean a puncture', /12 pounds/],
  ['How long does a full service take?', /two working days/],
  ['Do I need an appointment?', /without an appointment before 10/],
  ['Can you repair my e-bike?', /e-bikes with Bosch/],
  ['Where is your workshop?', /3 Harbour Road/],
  ["What's your email?", /hello@spokeandchain/],
  ['Can you pick up my bike from my home?', /collect your bike within the city/],
  ['Can I rent a bike while you fix mine?', /18 pounds a day/],
  ['Is there a warranty?', /warranty of two years/],
  ['Can I pay by credit card?', /cash, credit cards/],
  ['Who is the boss?', /Priya Nair/],
  ['Do you fix scooters?', /do not repair motorbikes or scooters/],
  ['Do you sell new bikes?', null],
  ['Can you paint my frame?', null],
  ['Do you have a coffee machine for guests?', null],
  ['What is the weather like tomorrow?', null],
  ['Do you accept bitcoin?', null],
];

export const SHOP: readonly Question[] = [
  ['How long does shipping take?', /two to three working days/],
  ['What does delivery cost?', /4\.90 euros/],
  ['Do you ship to Norway?', /Norway/],
  ['I want to send a lamp back', /within 30 days/],
  ['When will I get my refund?', /within five days/],
  ['My lamp came broken, what now?', /Send us a photo/],
  ['How can I cancel my order?', /until it is packed/],
  ['Where is my parcel?', /tracking link/],
  ['How long is the warranty?', /three years/],
  ['What kind of bulb do I need?', /E27/],
  ['Can I use the lamps outside?', /Only the Lumio Go/],
  ['How long does the battery last?', /twelve hours/],
  [['Can the Lumio One be dimmed?', 'And the Mini?'], /Mini cannot be dimmed/],
  ['Can I pay with PayPal, and do you have a shop?', /PayPal[^]*no shops/],
  ['Can I call you?', /0800 555 0199/],
  ['Do you offer a student discount?', null],
  ['Who is the CEO of your company?', null],
  ['Are there any open jobs?', null],
  ['Do you gift wrap?', null],
  ['Can you write me a poem about lamps?', null],
];
