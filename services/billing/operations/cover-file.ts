import type { Handler, Reply } from "#libs/contract/index.ts";
import { coveredMs } from "../domain/payments.ts";
import type { Resources } from "../resources.ts";

/** Records that a charge covers a file for a day; renews a coverage that has ended. */
export function coverFile({ sql, now }: Resources): Handler<"coverFile"> {
	return async ({ account_id, resource, sha256 }) => {
		const at = now();
		const covered = await sql`
			insert into covered_files as c (account_id, sha256, resource, covered_at)
			values (${account_id}, ${sha256}, ${resource}, ${at.toISOString()})
			on conflict (account_id, sha256) do update set covered_at = excluded.covered_at, resource = excluded.resource
			where c.covered_at <= ${new Date(at.getTime() - coveredMs).toISOString()}`;
		const reply: Reply<"coverFile"> = { covered_before: covered.count === 0 };
		return { json: JSON.stringify(reply), dataVersion: 0 };
	};
}
