/**
 * Reads PJM Data Miner's day-ahead hourly prices. Its terms do not allow the rows to be redistributed: they are stored, but served only as
 * averages of whole months (`monthlyPriced` in the contract, the views of the database).
 */
import type { HubType } from "#libs/contract/vocabulary.ts";
import { readCsv } from "#libs/files/csv.ts";
import { peek } from "#libs/files/decode.ts";
import { HeadedTable } from "#libs/files/table.ts";
import { number, text } from "#libs/files/values.ts";
import { field, type RecordOf, recordReader, textOrEmpty } from "../../../sources/cells.ts";
import type { Dataset, DatasetFile } from "../../../sources/dataset.ts";
import type { RawFile } from "../../../sources/source.ts";
import { createMarketDataset } from "./dataset.ts";
import { hourMs, type LocalClock, readStamp } from "./local-clock.ts";
import { Account, checkSum, daysOf, editionOf, findPriceFault, type HourPrice, iso } from "./price.ts";

const hubTypes = new Map(Object.entries<HubType>({ HUB: "hub", ZONE: "zone", INTERFACE: "interface" }));

/** Maximum nodes that are stored. An export with more covers the whole grid rather than points that a person chose. */
const maxNodes = 25;

export const pjmDayAhead: Dataset<HourPrice> = createMarketDataset({
	feed: "pjm-day-ahead",
	title: "PJM Data Miner day-ahead hourly LMP",
	layout: { formats: "CSV", verified: "2026-06" },
	publication: {
		title: "Day-ahead hourly prices, Data Miner 2",
		url: "https://dataminer2.pjm.com/feed/da_hrl_lmps",
		licence: "Redistribution of rows needs a license from PJM: monthly averages alone are shown",
	},
	...{ iso: "PJM", market: "day_ahead", maxAgeHours: 45 * 24, maxBytes: 256 * 1024 * 1024 },
	recognises: ({ bytes }) => {
		const start = peek(bytes, 400);
		return start.includes("datetime_beginning_utc") && start.includes("total_lmp_da");
	},
	parse: readExport,
});

const fields = {
	begins: field(text, "datetime_beginning_utc"),
	hubId: field(textOrEmpty, "pnode_id"),
	hub: field(textOrEmpty, "pnode_name"),
	kind: field(textOrEmpty, "type"),
	lmp: field(number, "total_lmp_da"),
	energy: field(number, "system_energy_price_da"),
	congestion: field(number, "congestion_price_da"),
	loss: field(number, "marginal_loss_price_da"),
	isCurrent: field((cell) => !/^(false|0)$/i.test(text(cell) ?? ""), "row_is_current"),
	version: field(number, "version_nbr"),
};

async function readExport({ name, bytes }: RawFile, clock: LocalClock): Promise<DatasetFile<HourPrice>> {
	const headed = new HeadedTable(readCsv(bytes, name), [["datetime_beginning_utc"], ["pnode_id"], ["total_lmp_da"]]);
	const read = recordReader(headed, fields);
	headed.ignore("datetime_beginning_ept", "voltage", "equipment", "zone");
	const account = new Account();
	const columns = { id: headed.column("pnode_id"), kind: headed.column("type") };
	const nodeRows = headed.rows.filter((row) => !hubTypes.has(text(row[columns.kind]) ?? ""));
	const nodes = new Set(nodeRows.map((row) => row[columns.id]));
	const prices = new Map<string, HourPrice>();
	for (const row of headed.rows) {
		const price = toPrice(read(row), account, nodes.size <= maxNodes);
		if (price === null) continue;
		const key = `${price.hubId} ${price.startsAt}`;
		const other = prices.get(key);
		if (other !== undefined) account.drop("superseded in the same file", key);
		if (other === undefined || (price.version ?? 1) > (other.version ?? 1)) prices.set(key, price);
	}
	const rows = [...prices.values()];
	for (const price of rows) checkSum(account, price);
	const dates = { edition: editionOf(rows, clock), publishedOn: daysOf(rows, clock).last };
	return { ...account.file(headed), ...dates, rowsIn: headed.rows.length, rows };
}

function toPrice(
	{ begins, hubId, hub, kind, lmp, isCurrent, ...stated }: RecordOf<typeof fields>,
	account: Account,
	keepsNodes: boolean,
): HourPrice | null {
	const where = `${hub} ${begins}`;
	if (!isCurrent) {
		account.drop("not the current row of its hour", where);
		return null;
	}
	const hubType = hubTypes.get(kind) ?? "node";
	if (hubType === "node" && !keepsNodes) {
		account.drop(`type ${kind}, one of more than ${maxNodes} nodes`, where);
		return null;
	}
	const startsAt = parseUtcHour(begins);
	const fault = findPriceFault(lmp) ?? (startsAt === null ? "a time stamp that is not the start of an hour" : null);
	if (lmp === null || startsAt === null || !hubId || !hub || fault !== null) {
		account.drop(fault ?? "no pricing point", where, "malformed");
		return null;
	}
	return { hubId, hub, hubType, startsAt, lmp, minutes: 60, ...stated };
}

function parseUtcHour(written: string | null): string | null {
	const stamp = readStamp(written);
	if (stamp === null || stamp.minute !== 0 || stamp.second !== 0) return null;
	return iso(Date.parse(`${stamp.day}T00:00:00Z`) + stamp.hour * hourMs);
}
