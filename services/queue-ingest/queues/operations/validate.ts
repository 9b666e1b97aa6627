import type { Handler, Reply } from "#libs/contract/index.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { checkDay, metaPart, requestsAt } from "../../history/past.ts";
import type { Resources } from "../../resources.ts";

export function validate(resources: Resources): Handler<"validate"> {
	const { sql } = resources;
	// What was withdrawn or built has no credit to come: the share is of the requests for which the question is open.
	const open = sql`status_std in ('Active', 'Suspended')`;
	return async (asOf) => {
		checkDay(resources, asOf);
		return oneJsonReply<Reply<"validate">>(
			sql,
			sql`
			select json_build_object(${metaPart(sql, asOf)} 'total_projects', count(*), 'coverage', json_build_object(
				'geocoded', fraction(count(lat), count(*)),
				'ia_status', fraction(count(*) filter (where ia_status <> 'In Progress (unknown study)'), count(*)),
				'developer_tier', fraction(count(*) filter (where developer_tier <> 'unknown'), count(*)),
				'tax_credit_eligibility', ${
					asOf.as_of === undefined
						? sql`fraction(count(*) filter (where ${open} and tax_credit_status <> 'requires_determination'), count(*) filter (where ${open}))`
						: sql`null::float8`
				},
				'construction_stage', fraction(count(*) filter (where construction_stage_confidence > 0.5), count(*))))
			from ${requestsAt(sql, asOf)} kind = 'generation' and listed = 'listed'`,
		);
	};
}
