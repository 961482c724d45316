import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import starlight from '@astrojs/starlight';
import type { StarlightUserConfig } from '@astrojs/starlight/types';
import { defineConfig } from 'astro/config';

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Built by `npm run build:pages`, which writes the pages to `dist/pages` first. */
export default defineConfig({
  root: file('.'),
  base: '/docs',
  trailingSlash: 'never',
  cacheDir: file('./dist/cache'),
  // The content security policy of the service allows neither inline styles nor inline scripts.
  build: { inlineStylesheets: 'never' },
  vite: { build: { assetsInlineLimit: 0 }, logLevel: 'warn' },
  image: { service: { entrypoint: 'astro/assets/services/noop' } },
  integrations: [
    starlight({
      title: 'Troupe',
      logo: { src: '../../favicon.svg', alt: '' },
      favicon: '/favicon.svg',
      pagination: false,
      tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
      sidebar: JSON.parse(
        readFileSync(file('./dist/sidebar.json'), 'utf8'),
      ) as StarlightUserConfig['sidebar'],
      customCss: [
        '@fontsource-variable/bricolage-grotesque/opsz.css',
        './src/styles/theme.css',
        './src/styles/content.css',
      ],
      components: {
        PageTitle: './src/components/PageTitle.astro',
        SocialIcons: './src/components/HeaderLinks.astro',
      },
      expressiveCode: {
        themes: ['github-dark', 'github-light'],
        styleOverrides: {
          borderRadius: '10px',
          frames: {
            shadowColor: 'transparent',
            editorTabBarBackground: 'transparent',
            editorActiveTabIndicatorTopColor: 'transparent',
          },
        },
      },
      head: [
        // Not deferred: scripts of the theme follow in the head.
        { tag: 'script', attrs: { src: '/docs/site-data.js' } },
        { tag: 'script', attrs: { src: '/docs/service-address.js', defer: true } },
      ],
    }),
  ],
});
