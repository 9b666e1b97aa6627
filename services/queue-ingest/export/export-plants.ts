import type { Handler } from "#libs/contract/index.ts";
import { plantTable } from "#libs/contract/operations/plant.ts";
import { exportFile } from "#libs/parquet/file.ts";
import { most, piece } from "#libs/parquet/select.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { plantRows, plantTables } from "../plants/operations/list-plants.ts";

/** The rows of the list, in the order of their codes. Only plants within the limit are joined with their generators. */
export function exportPlants(sql: Sql): Handler<"exportPlants"> {
	return (params, context) => {
		const page = piece`select * from listed order by plant_id${most(params.limit)}`;
		const select = piece`with ${plantTables(piece, params)}, page as (${page}) ${plantRows(piece)}`;
		return exportFile(sql, params, { table: plantTable, by: ["plant_id"], choose: () => ({ select }) }, context);
	};
}
