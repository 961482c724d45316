/** A sentence with names in backticks, as the service words its advice. */
export const Worded = ({ text }: { text: string }) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
