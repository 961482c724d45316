/* Signs of a time, a price or an address in a text as it is written. */

const PRICE =
  /[€$£¥]\s?\d|\d\s?(?:€|\$|£|zł|円|元|块|¥|eur\b|euros?\b|usd\b|dollars?\b|pounds?\b|pence\b|cents?\b|chf\b|francs?\b|franken\b|zloty|złotych|kr\b)/iu;
/** `9:30`, `9 am`, `9 to 5`. */
const TIME =
  /\d[:.h]\d\d(?!\d)|\d\s?(?:am|pm|a\.m|p\.m|uhr|u\b|h\b|時|点|點|(?:-|–|to|till|until|bis|à|a|al|às|hasta|alle|tot|do)\s?\d)/iu;
const PHONE = /(?:\+|\b0)\d(?:[ ()/.-]{0,2}\d){5,14}/;
const EMAIL = /[\w.+-]{1,64}@[\w-]{1,64}\.\w/;

export const namesPrice = (text: string): boolean => PRICE.test(text);
export const namesNumber = (text: string): boolean => /\d/.test(text);
export const namesTime = (text: string): boolean => TIME.test(text);
export const namesPhone = (text: string): boolean => PHONE.test(text);
export const namesEmail = (text: string): boolean => EMAIL.test(text);
