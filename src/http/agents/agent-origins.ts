/*
 * The web pages that may show an agent: which origins its owner may name, and which ones they mean.
 */
import { problem } from '../../errors.ts';

const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
/**
 * Stricter than URLs are: the values become part of a Content-Security-Policy header, where `;`
 * would begin another directive.
 */
const HOST = new RegExp(`^(\\*\\.(?=.*\\.))?${LABEL}(\\.${LABEL})*$`);

/** Normalizes the origins and drops repeated ones. Throws a validation error for other texts. */
export function readOrigins(texts: readonly string[]): string[] {
  const origins = texts.map((text, at) => {
    const origin = normalized(text.trim());
    if (origin === null) throw problem('origin', ['body', 'allowed_origins', at], ADVICE, text);
    return origin;
  });
  return [...new Set(origins)];
}

const ADVICE =
  'Input should be the origin of a web page: a scheme and a host, such as https://www.example.com or http://localhost:3000, without a path. A subdomain may be *, as in https://*.example.com';

function normalized(text: string): string | null {
  if (!/^https?:\/\/[^/?#@]+\/?$/i.test(text)) return null;
  const url = URL.parse(text);
  return url && HOST.test(url.hostname) ? url.origin : null;
}

/** Whether a page of this origin may show the agent. `allowed` is normalized. */
export const isAllowedOrigin = (origin: string, allowed: readonly string[]): boolean =>
  allowed.some((each) => each === origin || isSubdomain(origin, each));

function isSubdomain(origin: string, pattern: string): boolean {
  const [scheme, domain] = pattern.split('//*');
  if (domain === undefined) return false;
  return origin.startsWith(`${scheme}//`) && origin.endsWith(domain) && HOST_PART.test(origin);
}

/** Browsers send one host; anything else is no origin of a page. */
const HOST_PART = /^https?:\/\/[a-z0-9.-]+(:\d+)?$/;
