import type { Handler } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { replyList } from "#libs/postgres/list.ts";
import { resolveProject } from "./get-project.ts";

/** Of a list that says so; a state that another of the same moment replaced, which knew more, is in no day. */
const reason =
	"case when p.derived and not exists (select from project_history o where o.id = p.id and o.valid_from = p.valid_from and o.snapshot_id = p.snapshot_id and not o.derived) then 'derived' else 'list' end";

/** What a state is and has been is no fact of it. */
const ownOfState = ["version", "first_seen_at", "last_changed_at"];

export function getProjectHistory(sql: Sql): Handler<"getProjectHistory"> {
	return async ({ project_id, region, order, page, per_page, cursor }) => {
		const id = await resolveProject(sql, project_id, region);
		return replyList(
			sql,
			{
				filters: { id },
				chosen: sql`(
					select entry, valid_from, version, lag(entry) over (order by valid_from, version, entry) as before_entry
					from project_history where id = ${id} and valid_to is distinct from valid_from) states where true`,
				sort: [
					{ column: "valid_from", order },
					{ column: "version", order },
					{ column: "entry", order },
				],
				columns: sql`valid_from, version, entry, before_entry`,
				rows: sql`
					select p.version, iso(p.valid_from) as valid_from, iso(p.valid_to) as valid_to,
						${sql.unsafe(reason)} as reason,
						(select s.outcome = 'backfilled' from snapshots s where s.id = p.snapshot_id) as backfilled, p.snapshot_id,
						(select json_build_object('feed', f.feed, 'name', f.name, 'sha256', f.sha256, 'url', f.url) from snapshot_files f
							where f.snapshot_id = p.snapshot_id and f.feed = p.feed limit 1) as file,
						(select coalesce(json_agg(json_build_object('field', n.key, 'old_value', o.value, 'new_value', n.value)), '[]')
							from json_each_text(state_body(p)::json) n
							left join json_each_text((select state_body(b)::json from project_history b where b.entry = page.before_entry)) o
								on o.key = n.key
							where n.value is distinct from o.value and n.key <> all(${ownOfState}::text[])) as differences
					from page join project_history p using (entry)`,
			},
			{ page, per_page, cursor },
		);
	};
}
