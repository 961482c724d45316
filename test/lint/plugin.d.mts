import type { Rule } from 'oxlint/plugins-dev';

declare const plugin: {
  rules: Record<'comment-width' | 'folder-size' | 'journey-time' | 'option-parts', Rule>;
};
export default plugin;
