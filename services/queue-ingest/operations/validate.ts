import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";

export function validate(sql: Sql): Handler<"validate"> {
	return async () =>
		oneJsonReply<Reply<"validate">>(
			sql,
			sql`
			select json_build_object('total_projects', count(*), 'coverage', json_build_object(
				'geocoded', fraction(count(lat), count(*)),
				'ia_status', fraction(count(*) filter (where ia_status <> 'In Progress (unknown study)'), count(*)),
				'developer_tier', fraction(count(*) filter (where developer_tier <> 'unknown'), count(*)),
				'tax_credit_eligibility', fraction(count(energy_community_eligible), count(*)),
				'construction_stage', fraction(count(*) filter (where construction_stage_confidence > 0.5), count(*))))
			from projects where kind = 'generation'`,
		);
}
