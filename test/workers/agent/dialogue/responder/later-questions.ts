/*
 * Questions written from the files alone, in three sets of 20, each asked once before the responder
 * was changed because of it. Then it answered 18, 13 and 15 rightly, and 0, 2 and 1 wrongly; the
 * first set was written before the responder, by its author.
 */
import type { Question } from './questions.ts';

export const LATER_RESTAURANT: readonly Question[] = [
  ['At what time do you close on a Thursday?', /9:30 pm/],
  ['Can I get breakfast on Sunday?', /until noon/],
  ['How do I get to you by bus?', /Bus 7/],
  ['Are children welcome?', /half portions/],
  ['Can I smoke somewhere?', /only allowed in the garden/],
  ['Do you sell gift vouchers?', /sold at the bar/],
  ['Do you have a swimming pool?', null],
  ['What time does the kitchen close on Saturday night?', /10:30 pm/],
  ['We are six people tonight, do we need to book?', /reserve for five people or more/],
  ['Are you open on a bank holiday?', /those of a Sunday/],
  ['How far is it from the train station?', /ten minutes away/],
  ['Can we take our food home?', /taken away/],
  ['Does it cost anything to park?', /free for guests/],
  ['Is there a menu in French?', null],
  ['Good evening, are you open on Mondays?', /Monday: closed/],
  ['Which bus goes to your place?', /Bus 7/],
  ['My friend is in a wheelchair, can she get in?', /no steps/],
  ['Do you bake gluten free bread?', /baked every morning/],
  ['How long do you keep a table for us?', /fifteen minutes/],
  ['Who runs the restaurant?', /Anna and Jonas Weber/],
  ['Do you have a vegan dessert?', null],
  ['Can I hire the whole restaurant for a party?', null],
];

export const LATER_WORKSHOP: readonly Question[] = [
  ['What does it cost to have my brakes adjusted?', /18 pounds/],
  ['Is a quote free?', /estimate is free/],
  ['How much is the deposit for a rental bike?', /100 pounds/],
  ['Do you rent bikes for kids?', /no children's bikes/],
  ['Can I come by on Saturday afternoon?', /9:00[-– to]+13:00/],
  ['My company needs an invoice, is that possible?', /14 days on invoice/],
  ['Do you give riding lessons?', null],
  ['I have a flat tyre, how much is the repair?', /12 pounds/],
  ['Do you work on Shimano e-bikes?', /Bosch or Shimano/],
  ['What happens if I pick my bike up late?', /2 pounds a day/],
  ['How long is the guarantee on your work?', /six months/],
  ['Can you lend me a helmet?', /Helmets are lent free/],
  ['How busy are you in April?', /up to a week/],
  ['Do you sell gift vouchers?', null],
  ['Do you repair electric bikes?', /e-bikes/],
  ['What time do you open on weekdays?', /8:00[-– to]+18:00/],
  ['Where can I find you?', /3 Harbour Road/],
  ['How can I pay?', /cash, credit cards/],
  ['Do I have to leave a deposit for the city bike?', /deposit of 100 pounds/],
  ['Can you straighten a bent wheel?', null],
];

export const LATER_SHOP: readonly Question[] = [
  ['Do I have to pay to return something?', /Returns are free/],
  ['Is shipping free?', /free for orders above 60/],
  ['Which days can I phone you?', /weekdays from 9 am to 5 pm/],
  ['Can I dim the Lumio One?', /can be dimmed with its own switch/],
  ['Is a light bulb included?', /LED bulb is in the box/],
  ['Do you make ceiling fans?', null],
  ['I ordered the wrong lamp, can I still change my order?', /until it is packed/],
  ['Do you send to a post office box?', /do not deliver to post office boxes/],
  ['How long do I have to wait for a parcel to Spain?', /five to eight working days/],
  ['Which lamp can I put in the garden?', /Only the Lumio Go/],
  ['How do I charge the Lumio Go?', /USB-C/],
  ['Can I get a catalogue by mail?', null],
  ['Can I use a 100 watt bulb?', /up to 60 watts/],
  ['Is return shipping free?', /Returns are free/],
  ['From when is shipping free?', /above 60 euros/],
  ['How fast do you answer e-mails?', /within a day/],
  ['Can I talk to someone on Saturday?', null],
  ['Do you have a lamp in red?', null],
];
