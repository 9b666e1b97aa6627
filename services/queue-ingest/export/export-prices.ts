import { chosenColumns } from "#libs/contract/columns.ts";
import type { Handler, Params } from "#libs/contract/index.ts";
import { priceTable } from "#libs/contract/operations/price.ts";
import { exportFile } from "#libs/exports/file.ts";
import { columnsOf, most, piece, type Select, text } from "#libs/exports/select.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import {
	dateCondition,
	placeCondition,
	priceColumns,
	views,
} from "../datasets/prices/operations/list-market-prices.ts";

export function exportPrices(sql: Sql): Handler<"exportPrices"> {
	return (params, context) => {
		const { fields, format, compression, safe } = params;
		const columns = chosenColumns(priceTable, fields);
		const choose = () => ({ select: priceSelect(params) });
		return exportFile(sql, { table: priceTable, columns, format, compression, safe, choose }, context);
	};
}

/** The rows of the list, of the views that withhold what a licence does, oldest first. */
function priceSelect({ limit, format = "csv", fields, ...filters }: Params<"exportPrices">): Select {
	const columns = columnsOf(chosenColumns(priceTable, fields), "r", format);
	return piece`select ${columns} from (
			select iso, hub, hub_id, hub_type, market, ${filters.interval}::text as interval, starts_at, ${priceColumns(piece)}
			from ${text(views[filters.interval])}
			where ${placeCondition(piece, filters)} and ${dateCondition(piece, filters)}
		) r order by r.starts_at, r.iso, r.hub_id, r.market${most(limit)}`;
}
