/** Columns of a change in responses and events. */
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";

export const changeColumns = (sql: Sql | Transaction): Fragment => sql`
	c.seq, iso(c.detected_at) as detected_at, c.project_id, c.queue_id, c.region, c.kind, c.change_type, c.field_name, c.old_value,
	c.new_value, c.project_name, c.developer_canonical, c.capacity_mw, c.type_std, c.state, c.backfilled`;

/** The request after a change `c`, as JSON. A state that was inserted later can have the version of the one before it. */
export const rowAfter = (sql: Sql | Transaction): Fragment => sql`
	(select state_body(h)::json from project_history h where h.id = c.project_id and h.version = c.version order by h.entry limit 1)`;
