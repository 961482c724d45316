/* Formulas in LaTeX as signs, which voices read in their own language. */

const SIGNS: Record<string, string> = {
  times: '×',
  cdot: '×',
  div: '÷',
  pm: '±',
  le: '≤',
  leq: '≤',
  ge: '≥',
  geq: '≥',
  neq: '≠',
  ne: '≠',
  approx: '≈',
  infty: '∞',
  degree: '°',
  pi: 'π',
  to: '→',
  rightarrow: '→',
  left: '',
  right: '',
  quad: ' ',
  qquad: ' ',
  displaystyle: '',
};

/** Innermost first; formulas are short. */
const MOST_LEVELS = 8;

export function readLatex(formula: string): string {
  let text = formula.replace(/\\\\|&/g, ' ');
  for (let level = 0; level < MOST_LEVELS; level += 1) {
    const flatText = text
      .replace(/\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g, ' $1 / $2 ')
      .replace(/\\sqrt\s*\{([^{}]*)\}/g, '√($1)')
      .replace(/\\(?:begin|end)\s*\{[^{}]*\}/g, ' ')
      .replace(/\\(?:text|mathrm|mathbf|mathit|mathbb|operatorname|boxed)\s*\{([^{}]*)\}/g, '$1')
      .replace(/\^\s*\{([^{}]*)\}/g, '^$1')
      .replace(/_\s*\{([^{}]*)\}/g, ' $1');
    if (flatText === text) break;
    text = flatText;
  }
  return text
    .replace(/\\([A-Za-z]+)/g, (_, name: string) => SIGNS[name] ?? ` ${name} `)
    .replace(/\\[,;:! ]/g, ' ')
    .replace(/\\(.)/g, '$1')
    .replace(/\^\s*2(?!\d)/g, '²')
    .replace(/\^\s*3(?!\d)/g, '³')
    .replace(/\^\s*\\?circ/g, '°')
    .replace(/_/g, ' ')
    .replace(/[{}]/g, '')
    .replace(/[^\S\n]+/g, ' ')
    .trim();
}
