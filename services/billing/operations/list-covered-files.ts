import type { Handler, Reply } from "#libs/contract/index.ts";
import { coveredMs } from "../domain/payments.ts";
import type { Resources } from "../resources.ts";

/** The data cannot change more often in a day; a file beyond the limit is charged again. */
const most = 100;

export function listCoveredFiles({ sql, now }: Resources): Handler<"listCoveredFiles"> {
	return async ({ account_id, resource }) => {
		const files = await sql<{ sha256: string }[]>`
			select sha256 from covered_files
			where account_id = ${account_id} and resource = ${resource}
				and covered_at > ${new Date(now().getTime() - coveredMs).toISOString()}
			order by covered_at desc limit ${most}`;
		const reply: Reply<"listCoveredFiles"> = { sha256: files.map((file) => file.sha256) };
		return { json: JSON.stringify(reply), dataVersion: 0 };
	};
}
