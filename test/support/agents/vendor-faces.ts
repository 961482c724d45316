import { VENDOR_ADAPTERS } from '../../../src/http/compat/vendor-adapters.ts';

/**
 * A line of code that creates an avatar session, with placeholders `{address}` and YOUR_KEY. A
 * variant sends another request from a plugin that holds a whole conversation elsewhere in the
 * list, so it says one sentence only.
 */
export type Face = { vendor: string; how: string; line: string; isVariant?: true };

const documented = (vendor: string, language: 'python' | 'node'): Face[] => {
  const code = VENDOR_ADAPTERS.find(({ word }) => word === vendor)?.docs[language]?.code;
  return code ? [{ vendor, how: language, line: code }] : [];
};
const inPython = (vendor: string) => documented(vendor, 'python');

/** As documented, with current releases of the plugins, and a picture where they send one. */
export const CURRENT: Face[] = [
  ...VENDOR_ADAPTERS.map(({ word }) => word)
    // Missing from the current releases.
    .filter((word) => word !== 'hedra')
    .flatMap(inPython),
  {
    vendor: 'lemonslice',
    how: 'python, picture',
    line: 'lemonslice.AvatarSession(api_url="{address}", api_key="YOUR_KEY", agent_image=PICTURE)',
    isVariant: true,
  },
  {
    vendor: 'bithuman',
    how: 'python, picture',
    line: 'bithuman.AvatarSession(api_url="{address}", api_secret="YOUR_KEY", avatar_image=PICTURE)',
    isVariant: true,
  },
  {
    vendor: 'bithuman',
    how: 'python, form',
    line: 'bithuman.AvatarSession(api_url="{address}", api_secret="YOUR_KEY", model="expression", avatar_image=PICTURE)',
    isVariant: true,
  },
];

/** With earlier releases, which send other requests. */
export const EARLIER: Face[] = [
  ...['anam', 'hedra', 'lemonslice', 'simli'].flatMap(inPython),
  {
    vendor: 'hedra',
    how: 'python, picture',
    line: 'hedra.AvatarSession(api_url="{address}", api_key="YOUR_KEY", avatar_image=PICTURE)',
    isVariant: true,
  },
  {
    vendor: 'tavus',
    how: 'python, persona',
    line: 'tavus.AvatarSession(api_url="{address}", api_key="YOUR_KEY", replica_id="nora")',
  },
];

export const IN_NODE: Face[] = ['inference', 'lemonslice'].flatMap((vendor) =>
  documented(vendor, 'node'),
);
