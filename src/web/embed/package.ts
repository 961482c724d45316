/* The package @troupe/embed: defines the element. */
import './embed.ts';

export type * from './public-types.ts';
