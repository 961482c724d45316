/* Signs of a time, a price or an address in a text as it is written. */

const MONEY =
  /€|\$|£|zł|円|元|块|¥|eur\b|euros?\b|usd\b|dollars?\b|pounds?\b|pence\b|cents?\b|chf\b|francs?\b|franken\b|zloty|złotych|kr\b/u
    .source;
const PRICE = new RegExp(String.raw`[€$£¥]\s?\d|\d\s?(?:${MONEY})`, 'iu');
/** A number that is no price and no year. */
const COUNT = new RegExp(
  String.raw`(?<![€$£¥]\s?|[\d.,])(?!(?:1[5-9]|20)\d\d(?!\d))\d[\d.,]*(?![\d.,]|\s?(?:${MONEY}))`,
  'iu',
);
const YEAR = /(?<![\d.,])(?:1[5-9]|20)\d\d(?!\d)/;
const HOUR = /am|pm|a\.m|p\.m|uhr|u\b|h\b|時|点|點/u.source;
const UNTIL = /-|–|to|till|until|bis|à|a|al|às|hasta|alle|tot|do/u.source;
/** `9:30`, `9 am`, `9 to 5`. */
const TIME = new RegExp(String.raw`\d[:.h]\d\d(?!\d)|\d\s?(?:${HOUR}|(?:${UNTIL})\s?\d)`, 'iu');
const TIMES = new RegExp(String.raw`\d(?:[:.h]\d\d)?\s?(?:${HOUR})?\s?(?:${UNTIL})\s?\d`, 'iu');
const PHONE = /(?:\+|\b0)\d(?:[ ()/.-]{0,2}\d){5,14}/;
const EMAIL = /[\w.+-]{1,64}@[\w-]{1,64}\.\w/;

export const namesPrice = (text: string): boolean => PRICE.test(text);
export const namesCount = (text: string): boolean => COUNT.test(text);
export const namesTime = (text: string): boolean => TIME.test(text);
/** From one to another. */
export const namesTimes = (text: string): boolean => TIMES.test(text);
export const namesYear = (text: string): boolean => YEAR.test(text);
export const namesPhone = (text: string): boolean => PHONE.test(text);
export const namesEmail = (text: string): boolean => EMAIL.test(text);
