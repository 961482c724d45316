/* Sizes of comments, folders and option types that a reader can still take in at a glance. */
import { readdirSync } from 'node:fs';
import path from 'node:path';

/** In columns, as `printWidth` of the formatter, which leaves comments alone. */
const MAX_WIDTH = 100;
const MAX_FILES = 20;
const MAX_PARTS = 8;

const cannotBreak = (text) => !/\S\s+\S/.test(text.replace(/^\s*(\/\*+|\*|\/\/)|\*\/$/g, ''));

export const commentWidth = {
  meta: { type: 'layout', schema: [] },
  create(context) {
    return {
      Program() {
        const { lines } = context.sourceCode;
        for (const { loc } of context.sourceCode.getAllComments())
          for (let line = loc.start.line; line <= loc.end.line; line += 1) {
            const text = lines[line - 1];
            const columns = text.length;
            if (columns <= MAX_WIDTH || cannotBreak(text)) continue;
            context.report({
              loc: { start: { line, column: 0 }, end: { line, column: columns } },
              message: `This comment line has ${columns} columns: break it at ${MAX_WIDTH}, or shorten it.`,
            });
          }
      },
    };
  },
};

/** Reports the first source of a folder. */
export const folderSize = {
  meta: { type: 'suggestion', schema: [] },
  create(context) {
    return {
      Program(node) {
        const folder = path.dirname(context.filename);
        const files = readdirSync(folder, { withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ name }) => name)
          .sort();
        const firstSource = files.find((name) => /\.[cm]?[jt]sx?$/.test(name));
        if (files.length <= MAX_FILES || firstSource !== path.basename(context.filename)) return;
        const shown = path.relative(context.cwd, folder);
        context.report({
          node,
          message: `${shown} has ${files.length} files: give its parts folders of their own (at most ${MAX_FILES}).`,
        });
      },
    };
  },
};

export const optionParts = {
  meta: { type: 'suggestion', schema: [] },
  create(context) {
    return {
      TSTypeAliasDeclaration({ id, typeAnnotation }) {
        if (!/(Options|Parts)$/.test(id.name)) return;
        const types =
          typeAnnotation.type === 'TSIntersectionType' ? typeAnnotation.types : [typeAnnotation];
        const count = types
          .filter(({ type }) => type === 'TSTypeLiteral')
          .reduce((sum, { members }) => sum + members.length, 0);
        if (count <= MAX_PARTS) return;
        context.report({
          node: id,
          message: `${id.name} has ${count} parts: group those that belong together (at most ${MAX_PARTS}).`,
        });
      },
    };
  },
};
