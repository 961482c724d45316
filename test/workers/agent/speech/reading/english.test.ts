import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { piecesOf, readEnglish } from '../../../../../workers/agent/speech/reading/english.ts';

const CASES: Record<string, [written: string, spoken: string][]> = {
  numbers: [
    ['It has 7 rooms.', 'It has seven rooms.'],
    ['There are 0 left.', 'There are zero left.'],
    ['1,234.5', 'one thousand two hundred thirty-four point five'],
    ['1000000 users', 'one million users'],
    ['3,000,000,000', 'three billion'],
    ['105', 'one hundred five'],
    ['-5', 'minus five'],
    ['0.05', 'zero point zero five'],
    ['3rd', 'third'],
    ['the 21st', 'the twenty-first'],
    ['the 12th and the 20th', 'the twelfth and the twentieth'],
    ['page 10-12', 'page ten to twelve'],
    ['10–15 minutes', 'ten to fifteen minutes'],
    ['1/2 cup', 'one half cup'],
    ['2 1/2 cups', 'two and a half cups'],
    ['3 x 4', 'three by four'],
    ['2 + 2 = 4', 'two plus two equals four'],
    ['version 3.5.1', 'version three point five point one'],
    ['Room 204', 'Room two hundred four'],
    ['#5', 'number five'],
    ['No. 7', 'number seven'],
    ['007', 'zero zero seven'],
    ['Your PIN is 4821.', 'Your PIN is four eight two one.'],
    ['order 123456789012', 'order one two three four five six seven eight nine zero one two'],
  ],
  'phone numbers': [
    ['555-0199', 'five five five, zero one nine nine'],
    ['(555) 123-4567', 'five five five, one two three, four five six seven'],
    ['555-123-4567', 'five five five, one two three, four five six seven'],
    ['1-800-555-0199', 'one, eight zero zero, five five five, zero one nine nine'],
    ['+49 30 1234567', 'plus four nine, three zero, one two three four five six seven'],
    ['+44 20 7946 0958', 'plus four four, two zero, seven nine four six, zero nine five eight'],
    ['Call 911!', 'Call nine one one!'],
    ['030 1234567', 'zero three zero, one two three four five six seven'],
    [
      '555-123-4567 ext. 12',
      'five five five, one two three, four five six seven, extension one two',
    ],
  ],
  dates: [
    ['2026-11-30', 'November thirtieth, twenty twenty-six'],
    ['30.11.2026', 'November thirtieth, twenty twenty-six'],
    ['11/30/2026', 'November thirtieth, twenty twenty-six'],
    ['30/11/2026', 'November thirtieth, twenty twenty-six'],
    ['3/4/2026', 'March fourth, twenty twenty-six'],
    ['November 30', 'November thirtieth'],
    ['Nov. 30, 2026', 'November thirtieth, twenty twenty-six'],
    ['Dec 1st', 'December first'],
    ['on 30 November', 'on the thirtieth of November'],
    ['the 5th of May 2024', 'the fifth of May, twenty twenty-four'],
    ['May 2024', 'May twenty twenty-four'],
    ['in 1999', 'in nineteen ninety-nine'],
    ['since 2005', 'since two thousand five'],
    ['in 1900', 'in nineteen hundred'],
    ['from 1914 to 1918', 'from nineteen fourteen to nineteen eighteen'],
    ['1990s', 'nineteen nineties'],
    ["the '80s", 'the eighties'],
    ['(2024)', '(twenty twenty-four)'],
    ['Mon-Fri', 'Monday to Friday'],
    ['2000 people', 'two thousand people'],
    ['Fri. and Mon. only', 'Friday and Monday only'],
    ['on 99/99/2026', 'on ninety-nine/ninety-nine/two thousand twenty-six'],
  ],
  times: [
    ['14:30', 'two thirty PM'],
    ['9:00', "nine o'clock"],
    ['09:05', 'nine oh five'],
    ['12:00', 'noon'],
    ['00:00', 'midnight'],
    ['00:15', 'twelve fifteen AM'],
    ['9am', 'nine AM'],
    ['9 a.m.', 'nine AM.'],
    ['9:30 p.m. today', 'nine thirty PM today'],
    ['9am-5pm', 'nine AM to five PM'],
    ['9-5pm', 'nine to five PM'],
    ['9:00–17:30', "nine o'clock to five thirty PM"],
    ['24/7', 'twenty-four seven'],
    ['25:99', 'twenty-five:ninety-nine'],
  ],
  money: [
    ['$5', 'five dollars'],
    ['$1', 'one dollar'],
    ['$5.50', 'five dollars and fifty cents'],
    ['$0.99', 'ninety-nine cents'],
    ['€ 12.50', 'twelve euros and fifty cents'],
    ['12.50 €', 'twelve euros and fifty cents'],
    ['£3', 'three pounds'],
    ['£1.01', 'one pound and one penny'],
    ['¥500', 'five hundred yen'],
    ['$1.2 million', 'one point two million dollars'],
    ['$3bn', 'three billion dollars'],
    ['$1,250.00', 'one thousand two hundred fifty dollars'],
    ['20 EUR', 'twenty euros'],
    ['-$20', 'minus twenty dollars'],
    ['$5-10', 'five to ten dollars'],
    ['$5–$10', 'five to ten dollars'],
  ],
  units: [
    ['5 km', 'five kilometers'],
    ['1 km', 'one kilometer'],
    ['20 °C', 'twenty degrees Celsius'],
    ['-3°C', 'minus three degrees Celsius'],
    ['50 %', 'fifty percent'],
    ['12.5%', 'twelve point five percent'],
    ['130 km/h', 'one hundred thirty kilometers per hour'],
    ['6 ft', 'six feet'],
    ['80 m²', 'eighty square meters'],
    ['16GB', 'sixteen gigabytes'],
    ['2.4 GHz', 'two point four gigahertz'],
    ['30 min', 'thirty minutes'],
    ['20-30%', 'twenty to thirty percent'],
    ['100s of people', '100s of people'],
    ['250ms', 'two hundred fifty milliseconds'],
  ],
  abbreviations: [
    ['fruit, e.g. apples', 'fruit, for example apples'],
    ['i.e. never', 'that is never'],
    ['apples, pears, etc.', 'apples, pears, et cetera.'],
    ['approx. five', 'approximately five'],
    ['Dr. Smith', 'Doctor Smith'],
    ['Mr. and Mrs. Jones', 'Mr. and Missus Jones'],
    ['St. Paul', 'Saint Paul'],
    ['on Main St.', 'on Main Street.'],
    ['5 Elm Dr.', 'five Elm Drive.'],
    ['R & D', 'R and D'],
    ['w/o sugar', 'without sugar'],
    ['cats vs. dogs', 'cats versus dogs'],
    ['Acme Inc.', 'Acme Incorporated.'],
  ],
  addresses: [
    ['info@example.com', 'info at example dot com'],
    ['Write to john.doe99@mail.co.uk.', 'Write to john dot doe ninety-nine at mail dot co dot uk.'],
    ['a_b-c@example.org', 'a underscore b dash c at example dot org'],
    ['See example.com.', 'See example dot com.'],
    ['www.example.com', 'example dot com'],
    ['https://example.com/help', 'example dot com slash help'],
    ['my-shop.example.de/a', 'my dash shop dot example dot de slash a'],
    ['example.com:8080', 'example dot com colon eight zero eight zero'],
    ['192.168.0.1', 'one hundred ninety-two dot one hundred sixty-eight dot zero dot one'],
    ['end.Next', 'end.Next'],
  ],
  'what is left': [
    ['Hello! How are you?', 'Hello! How are you?'],
    ['I am at home.', 'I am at home.'],
    ['A St. Then', 'A Street Then'],
    ['covid-19', 'covid-nineteen'],
    ['MP3', 'MP3'],
    ['', ''],
  ],
};

describe('English as people say it', () => {
  for (const [subject, cases] of Object.entries(CASES))
    test.each(cases)(`${subject}: %s`, (written, spoken) => {
      expect(readEnglish(written)).toBe(spoken);
    });

  test.each([
    ['en-GB', 'April third, twenty twenty-six'],
    ['en-AU', 'April third, twenty twenty-six'],
    ['en-US', 'March fourth, twenty twenty-six'],
  ])('has dates as they are written in %s', (language, spoken) => {
    expect(readEnglish('3/4/2026', language)).toBe(spoken);
  });

  test('has parts that add up to the text', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9 .,:/$€%@#+-]{0,60}$/), (text) => {
        const pieces = piecesOf(text);
        expect(pieces.map(({ written }) => written).join('')).toBe(text);
      }),
    );
  });
});
