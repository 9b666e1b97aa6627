import type { Handler } from "#libs/contract/index.ts";
import { priceTable } from "#libs/contract/operations/price.ts";
import { exportFile } from "#libs/parquet/file.ts";
import { piece, text } from "#libs/parquet/select.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import {
	dateCondition,
	placeCondition,
	priceColumns,
	views,
} from "../datasets/prices/operations/list-market-prices.ts";

/** The rows of the list, of the views that withhold what a licence does, oldest first. */
export function exportPrices(sql: Sql): Handler<"exportPrices"> {
	return (params, context) => {
		const select = piece`
			select iso, hub, hub_id, hub_type, market, ${params.interval}::text as interval, starts_at, ${priceColumns(piece)}
			from ${text(views[params.interval])}
			where ${placeCondition(piece, params)} and ${dateCondition(piece, params)}`;
		const file = { table: priceTable, by: ["starts_at", "iso", "hub_id", "market"], choose: () => ({ select }) };
		return exportFile(sql, params, file, context);
	};
}
