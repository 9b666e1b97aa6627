import { chosenColumns } from "#libs/contract/columns.ts";
import type { Handler, Params } from "#libs/contract/index.ts";
import { developerTable } from "#libs/contract/operations/developer.ts";
import { exportFile } from "#libs/exports/file.ts";
import { columnsOf, most, piece, type Select } from "#libs/exports/select.ts";
import { developersAt, rowsOf } from "../developers/developers-at.ts";
import { developerCondition } from "../developers/operations/list-developers.ts";
import { checkDay } from "../history/past.ts";
import type { Resources } from "../resources.ts";

export function exportDevelopers(resources: Resources): Handler<"exportDevelopers"> {
	return async function* (params, context) {
		checkDay(resources, params);
		const file = {
			table: developerTable,
			columns: chosenColumns(developerTable, params.fields),
			format: params.format,
			compression: params.compression,
			safe: params.safe,
			choose: () => ({ select: developerSelect(params) }),
		};
		yield* exportFile(resources.sql, file, context);
	};
}

/** The rows of the list, in the order of their numbers. Portfolios hold their lists as JSON. */
function developerSelect(params: Params<"exportDevelopers">): Select {
	const { limit, format = "csv", compression: _, fields, as_of, ...filters } = params;
	const chosen = piece`(select d.* from ${developersAt(piece, { as_of })} d where ${developerCondition(piece, filters)})`;
	const columns = columnsOf(chosenColumns(developerTable, fields), "r", format);
	return piece`select ${columns} from (
			select r.developer_id, r.canonical_name, r.tier, r.total_projects, r.total_capacity_mw, r.operating_capacity_mw,
				r.in_construction_mw, r.active_capacity_mw, r.withdrawn_projects, r.operational_projects, r.completion_rate,
				array(select jsonb_array_elements_text(r.states_active)) as states_active,
				array(select jsonb_array_elements_text(r.primary_technologies)) as primary_technologies, r.needs_capital,
				array(select i.scheme || ':' || i.value from developer_identifiers i where i.developer_id = r.developer_id
					order by i.scheme, i.value) as identifiers
			from ${rowsOf(piece, chosen)} r
		) r order by r.developer_id${most(limit)}`;
}
