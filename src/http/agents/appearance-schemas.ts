import Type, { type Static } from 'typebox';
import {
  LOGO_KINDS,
  MAX_LOGO_BYTES,
  MAX_LOGO_SIDE,
  MAX_WELCOME_LENGTH,
} from '#protocol/agent-appearance.ts';
import type { Agent } from '../../records/agents/agents.ts';
import { optional, Text } from '../resource/schema-parts.ts';

const LOGO = `data:image/(${LOGO_KINDS.join('|')});base64,`;
/** In base64, and the longest beginning. */
const LOGO_LENGTH = Math.ceil(MAX_LOGO_BYTES / 3) * 4 + LOGO.length;

export const AppearanceRequest = Type.Object({
  accent_color: optional(
    Type.String({ pattern: '^#[0-9a-fA-F]{6}$', examples: ['#5b3fd6'] }),
    'Colour of buttons, as `#rrggbb`. Their text is black or white, whichever can be read better.',
  ),
  logo: optional(
    Type.String({
      maxLength: LOGO_LENGTH,
      pattern: `^${LOGO}[A-Za-z0-9+/]+={0,2}$`,
      examples: ['data:image/png;base64,iVBORw0KGgo='],
    }),
    `A PNG, JPEG or WebP picture as data URL: at most ${MAX_LOGO_BYTES / 1024} KiB, and ${MAX_LOGO_SIDE} pixels a side. Shown on white.`,
  ),
  welcome_text: optional(
    Text(1, MAX_WELCOME_LENGTH),
    'Plain text, shown before a call in place of the usual invitation.',
  ),
});

export const AppearanceBody = Type.Object(
  {
    accent_color: Type.Union([Type.String(), Type.Null()]),
    logo: Type.Union([Type.String({ format: 'uri' }), Type.Null()], {
      description: 'Address of the logo; needs no key. It changes with the logo.',
    }),
    welcome_text: Type.Union([Type.String(), Type.Null()]),
  },
  { description: 'How the pages of visitors look. Null: the default.' },
);

/** The address changes with the logo, so that no cache shows a former one. */
export const toAppearanceBody = (
  { id, appearance: { accentColor, logoHash, welcomeText } }: Pick<Agent, 'id' | 'appearance'>,
  baseUrl: string,
): Static<typeof AppearanceBody> => ({
  accent_color: accentColor,
  logo: logoHash && `${baseUrl}/agents/${id}/logo?v=${logoHash.slice(0, 12)}`,
  welcome_text: welcomeText,
});
