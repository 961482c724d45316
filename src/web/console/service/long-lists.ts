/*
 * A list is read again page by page. That is cheap for a few pages; a longer list only gets the
 * changes of its items, and new items when it is opened again.
 */
type Pages = { pages: { data: { id: string }[] }[] };

const READ_AGAIN_PAGES = 4;

const isList = (answer: unknown): answer is Pages =>
  typeof answer === 'object' && answer !== null && 'pages' in answer;

/** `answer`: what the query cache holds. */
export const isLongList = (answer: unknown): boolean =>
  isList(answer) && answer.pages.length > READ_AGAIN_PAGES;

/** The same answer with the item as it is now, if it is a long list that holds it. */
export function withItem<Answer>(answer: Answer, item: { id: string }): Answer {
  if (!isList(answer) || !isLongList(answer)) return answer;
  const isHere = ({ data }: Pages['pages'][number]) => data.some(({ id }) => id === item.id);
  if (!answer.pages.some(isHere)) return answer;
  const pages = answer.pages.map((page) =>
    isHere(page)
      ? { ...page, data: page.data.map((each) => (each.id === item.id ? item : each)) }
      : page,
  );
  return { ...answer, pages };
}
