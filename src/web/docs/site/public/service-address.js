// Samples show the address of the service that serves the page.
{
  const written = 'http://127.0.0.1:8080';
  const here = location.origin;
  const replaced = (text) =>
    text
      .replaceAll(written, here)
      .replaceAll(written.replace('http', 'ws'), here.replace('http', 'ws'));
  for (const element of document.querySelectorAll('code, [data-code]')) {
    if (element.dataset.code) element.dataset.code = replaced(element.dataset.code);
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) walker.currentNode.data = replaced(walker.currentNode.data);
  }
}
