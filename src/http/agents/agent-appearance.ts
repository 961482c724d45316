/*
 * The look of an agent on the pages of visitors. Its logo is a small raster picture, sent in a data
 * URL and stored as a blob.
 */
import type { Static } from 'typebox';
import { LOGO_KINDS, MAX_LOGO_BYTES, MAX_LOGO_SIDE } from '#protocol/agent-appearance.ts';
import { readPictureHeader } from '#protocol/pictures/picture-header.ts';
import { recognize } from '#protocol/pictures/picture-kinds.ts';
import { problem } from '../../errors.ts';
import { DEFAULT_APPEARANCE, type Appearance } from '../../records/agents/agent-settings.ts';
import type { AppearanceRequest } from './appearance-schemas.ts';

type LogoKind = (typeof LOGO_KINDS)[number];

/** Stores the logo. Omitted fields are absent from the result; null restores the default. */
export async function readAppearance(
  appearance: Static<typeof AppearanceRequest> | null,
  store: (bytes: Uint8Array) => Promise<string>,
): Promise<Partial<Appearance>> {
  if (appearance === null) return DEFAULT_APPEARANCE;
  const { accent_color, logo, welcome_text } = appearance;
  return {
    ...(accent_color !== undefined && { accentColor: accent_color && accent_color.toLowerCase() }),
    ...(welcome_text !== undefined && { welcomeText: welcome_text }),
    ...(logo !== undefined && { logoHash: logo && (await store(readLogo(logo))) }),
  };
}

function readLogo(dataUrl: string): Uint8Array {
  const bytes = Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64');
  const msg = logoProblem(bytes);
  // The picture itself would fill the answer.
  if (msg !== null) throw problem('logo', ['body', 'appearance', 'logo'], msg, null);
  return bytes;
}

function logoProblem(bytes: Uint8Array): string | null {
  if (bytes.length > MAX_LOGO_BYTES)
    return `Input should be a picture of at most ${MAX_LOGO_BYTES / 1024} KiB`;
  const kind = logoKindOf(bytes);
  const size = kind && readPictureHeader(kind, bytes);
  if (!size) return 'Input should be a PNG, JPEG or WebP picture';
  const longestSide = Math.max(size.width, size.height);
  if (Math.min(size.width, size.height) > 0 && longestSide <= MAX_LOGO_SIDE) return null;
  return `Input should be a picture of at most ${MAX_LOGO_SIDE} pixels a side`;
}

/** Null: no picture that can be a logo. */
export function logoKindOf(bytes: Uint8Array): LogoKind | null {
  const recognized = recognize(bytes);
  if ('problem' in recognized) return null;
  return LOGO_KINDS.find((kind) => kind === recognized.kind) ?? null;
}
