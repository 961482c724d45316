/*
 * The script /embed.js, which keeps its name and so is revalidated. It only loads the element, whose file
 * browsers keep for ever, and which media code imports, too: that must be one module, even if a page
 * loads this script with a query.
 */
// Frameworks import it on their servers, too, which have no elements.
if (globalThis.customElements) void import('./define.ts');
