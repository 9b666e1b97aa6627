import type { Handler } from "#libs/contract/index.ts";
import { developerTable } from "#libs/contract/operations/developer.ts";
import { exportFile } from "#libs/parquet/file.ts";
import { piece } from "#libs/parquet/select.ts";
import { developersAt, rowsOf } from "../developers/developers-at.ts";
import { developerCondition } from "../developers/operations/list-developers.ts";
import { checkDay } from "../history/past.ts";
import type { Resources } from "../resources.ts";

/** The rows of the list, in the order of their numbers. Portfolios hold their lists as JSON. */
export function exportDevelopers(resources: Resources): Handler<"exportDevelopers"> {
	return (params, context) => {
		checkDay(resources, params);
		const chosen = piece`(select d.* from ${developersAt(piece, params)} d where ${developerCondition(piece, params)})`;
		const select = piece`
			select r.developer_id, r.canonical_name, r.tier, r.total_projects, r.total_capacity_mw, r.operating_capacity_mw,
				r.in_construction_mw, r.active_capacity_mw, r.withdrawn_projects, r.operational_projects, r.completion_rate,
				array(select jsonb_array_elements_text(r.states_active)) as states_active,
				array(select jsonb_array_elements_text(r.primary_technologies)) as primary_technologies, r.needs_capital,
				array(select i.scheme || ':' || i.value from developer_identifiers i where i.developer_id = r.developer_id
					order by i.scheme, i.value) as identifiers
			from ${rowsOf(piece, chosen)} r`;
		const file = { table: developerTable, by: ["developer_id"], choose: () => ({ select }) };
		return exportFile(resources.sql, params, file, context);
	};
}
