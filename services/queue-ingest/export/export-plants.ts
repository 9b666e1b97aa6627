import { chosenColumns } from "#libs/contract/columns.ts";
import { shownFields } from "#libs/contract/exports.ts";
import type { Handler, Params } from "#libs/contract/index.ts";
import { plantTable } from "#libs/contract/operations/plant.ts";
import { exportFile } from "#libs/exports/file.ts";
import { columnsOf, most, piece, type Select } from "#libs/exports/select.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { plantRows, plantTables } from "../plants/operations/list-plants.ts";

export function exportPlants(sql: Sql): Handler<"exportPlants"> {
	return (params, context) => {
		const { fields, format, compression, safe } = params;
		const columns = chosenColumns(plantTable, shownFields(fields, format));
		const choose = () => ({ select: plantSelect(params) });
		return exportFile(sql, { table: plantTable, columns, format, compression, safe, choose }, context);
	};
}

/** The rows of the list, in the order of their codes. */
function plantSelect(params: Params<"exportPlants">): Select {
	const { limit, format = "csv", compression: _, fields, ...filters } = params;
	const columns = columnsOf(chosenColumns(plantTable, shownFields(fields, format)), "r", format);
	return piece`with ${plantTables(piece, filters)}, page as (select * from listed order by plant_id${most(limit)})
		select ${columns} from (${plantRows(piece)}) r order by r.plant_id`;
}
