/** State of one instance; see index.ts. */
export let columns: i32 = 0;
export let rows: i32 = 0;
export let tables: usize = 0;
export let blocks: usize = 0;
export let scratch: usize = 0;

/**
 * Size in macroblocks. `coded`: BLOCK_BYTES for each block. `spare`: 128 bytes, for one block's
 * coefficients.
 */
export function setUp(
  aColumns: i32,
  aRows: i32,
  aTables: usize,
  coded: usize,
  spare: usize,
): void {
  columns = aColumns;
  rows = aRows;
  tables = aTables;
  blocks = coded;
  scratch = spare;
}
