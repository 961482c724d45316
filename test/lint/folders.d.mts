type Context = { cwd: string; filename: string; report(finding: { message: string }): void };
type ImportNode = { source: { value: string } };

export const folders: {
  create(context: Context): { ImportDeclaration: (node: ImportNode) => void };
};
export const mayImport: Record<string, string[]>;
export const homes: Record<string, string[]>;
