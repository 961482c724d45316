import type { Rule } from 'oxlint/plugins-dev';

type Context = { cwd: string; filename: string; report(finding: { message: string }): void };
type ImportNode = { source: { value: string } };

declare const plugin: {
  rules: {
    folders: { create(context: Context): { ImportDeclaration: (node: ImportNode) => void } };
    'journey-time': Rule;
  };
};
export default plugin;
export const mayImport: Record<string, string[]>;
export const homes: Record<string, string[]>;
