/** Columns of every listed table; `listed_at` as in `SessionsTable`. */
export type Listed = { id: string; account_id: string; created_at: number; listed_at: number };
