/*
 * Loaded into the Node examples: finds our own packages in this repository until they are
 * published, and the media client among the packages that `npm start` installs for the pages.
 */
import { registerHooks } from 'node:module';

const PACKAGES = {
  '@troupe/sdk': new URL('../../clients/typescript/src/index.ts', import.meta.url).href,
  '@troupe/livekit-plugin': new URL('../../clients/livekit-node/src/index.ts', import.meta.url)
    .href,
};

const PAGES = new URL('../../web/packages/package.json', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    next(
      PACKAGES[specifier] ?? specifier,
      specifier === 'livekit-client' ? { ...context, parentURL: PAGES } : context,
    ),
});
