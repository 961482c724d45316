import { describe, expect, test } from 'vitest';
import { toCsvLine } from '../../../src/http/audit/csv.ts';

describe('a line of CSV', () => {
  test.each([
    { what: 'plain values', values: ['a', 'b c', null], line: 'a,b c,' },
    { what: 'separators', values: ['a,b', 'line\nbreak'], line: '"a,b","line\nbreak"' },
    { what: 'quotes', values: ['say "hi"'], line: '"say ""hi"""' },
    { what: 'a formula', values: ['=1+1', '@a', '-2', '+3'], line: "'=1+1,'@a,'-2,'+3" },
    { what: 'a formula with quotes', values: ['=HYPERLINK("x")'], line: `"'=HYPERLINK(""x"")"` },
  ])('holds $what', ({ values, line }) => {
    expect(toCsvLine(values)).toBe(line);
  });
});
