/* Reads the series and labels that a PromQL expression uses. */

type Matcher = { label: string; operator: string; value: string };
export type Series = { name: string; matchers: Matcher[] };
type Uses = { series: Series[]; groupedBy: string[] };

const GROUPING = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;
const SELECTOR = /([a-zA-Z_:][\w:]*)\s*\{([^}]*)\}/g;
const MATCHER = /(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g;
const NAME = /[a-zA-Z_:][\w:]*(?!\s*\(|[\w:])/g;
const WORDS = new Set(['and', 'or', 'unless', 'bool', 'offset', 'inf', 'nan']);

export function usesOf(expression: string): Uses {
  const groupedBy = [...expression.matchAll(GROUPING)].flatMap(([, labels = '']) =>
    labels.split(',').map((label) => label.trim()),
  );
  const ungrouped = expression.replace(GROUPING, ' ');
  const selected = [...ungrouped.matchAll(SELECTOR)].map(([, name = '', matchers = '']) => ({
    name,
    matchers: [...matchers.matchAll(MATCHER)].map(([, label = '', operator = '', value = '']) => ({
      label,
      operator,
      value,
    })),
  }));
  const remainder = ungrouped.replace(SELECTOR, ' ').replace(/\[[^\]]*\]/g, ' ');
  const bare = [...remainder.matchAll(NAME)]
    .map(([name]) => name)
    .filter((name) => !WORDS.has(name.toLowerCase()));
  return { series: [...selected, ...bare.map((name) => ({ name, matchers: [] }))], groupedBy };
}
