import { chosenColumns } from "#libs/contract/columns.ts";
import type { Handler, Params } from "#libs/contract/index.ts";
import { developerTable } from "#libs/contract/operations/developer.ts";
import { exportFile } from "#libs/exports/file.ts";
import { columnsOf, most, piece, type Select } from "#libs/exports/select.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { developerCondition } from "../developers/operations/list-developers.ts";

export function exportDevelopers(sql: Sql): Handler<"exportDevelopers"> {
	return (params, context) =>
		exportFile(
			sql,
			{
				table: developerTable,
				columns: chosenColumns(developerTable, params.fields),
				format: params.format,
				choose: () => ({ select: developerSelect(params) }),
			},
			context,
		);
}

/** The rows of the list, in the order of their numbers. Portfolios hold their lists as JSON. */
function developerSelect({ limit, format = "csv", fields, ...filters }: Params<"exportDevelopers">): Select {
	const columns = columnsOf(chosenColumns(developerTable, fields), "r", format);
	return piece`select ${columns} from (
			select r.developer_id, r.canonical_name, r.tier, r.total_projects, r.total_capacity_mw, r.operating_capacity_mw,
				r.in_construction_mw, r.active_capacity_mw, r.withdrawn_projects, r.operational_projects, r.completion_rate,
				array(select jsonb_array_elements_text(r.states_active)) as states_active,
				array(select jsonb_array_elements_text(r.primary_technologies)) as primary_technologies, r.needs_capital
			from developer_rows r
			where r.developer_id in (select d.developer_id from listed_developers d where ${developerCondition(piece, filters)})
		) r order by r.developer_id${most(limit)}`;
}
