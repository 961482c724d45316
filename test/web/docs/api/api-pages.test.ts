import { describe, expect, test } from 'vitest';
import { apiPages } from '../../../../src/web/docs/api/api-pages.ts';
import { apiDocument } from '../../../support/pages/docs.ts';

const document = await apiDocument();
const pages = apiPages(document, '1.2.3');
const text = pages.map((page) => page.text).join('\n');
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({
    request: `${method.toUpperCase()} ${path}`,
    operationId,
  })),
);

describe('the API reference', () => {
  test.each(operations)('describes $request once', ({ request, operationId }) => {
    const [, ...sections] = text.split(` {#${operationId}}\n`);

    expect(sections).toHaveLength(1);
    const section = sections[0]!.split('\n## ')[0]!;
    expect(section).toContain(`\`${request}\``);
    for (const tab of ['curl', 'Python', 'Node']) expect(section).toContain(`tab="${tab}"`);
    expect(section).toContain('| Status | Meaning |');
  });

  test('lists every operation on its first page', () => {
    const [overview] = pages;

    for (const { operationId } of operations) expect(overview!.text).toContain(`#${operationId})`);
  });

  test('has the version of the software and of the interface', () => {
    expect(pages[0]!.text).toContain(`Troupe 1.2.3, version ${document.info.version} of`);
  });
});
