/* The package @troupe/embed: defines the element. */
import './embed.ts';

export { keyPicture } from '../call/picture/keyed-picture.ts';
export type * from './public-types.ts';
