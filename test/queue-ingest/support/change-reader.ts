/**
 * Changes between two files of an operator, by a reader that shares no code with the adapters: rows compared by number, the cells of
 * some columns by what they state. And the same of the change feed, of the requests that stand in both files.
 */
import type { Region } from "#libs/contract/vocabulary.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { numberKey, requestsIn, tablesOf } from "../../../tools/truth/files.ts";

type Row = Map<string, string>;

interface Layout {
	/** Sheets that hold requests, those first whose rows win; all when absent. */
	sheets?: RegExp[];
	key: string;
	/** By field: the headers in lower case, of which the first that states something counts. */
	columns: Record<string, string[]>;
	/** A finished request has no date to come. */
	isFinished: (row: Row) => boolean;
}

const layouts: Partial<Record<Region, Layout>> = {
	CAISO: {
		sheets: [/completed/i, /withdrawn/i, /generationqueue/i],
		key: "Queue Position",
		columns: {
			status: ["application status"],
			capacity_mw: ["net mws to grid"],
			cod: ["current on-line date"],
			actual_cod: ["actual on-line date"],
			withdrawn_date: ["withdrawn date"],
			ia_status_filed: ["interconnection agreement status"],
			poi: ["station or transmission line"],
		},
		isFinished: (row) => row.get("application status") !== "ACTIVE",
	},
	ERCOT: {
		sheets: [/project details.*large/i, /project details.*small/i],
		key: "INR",
		columns: {
			capacity_mw: ["capacity (mw)"],
			cod: ["projected cod"],
			ia_date: ["ia signed"],
			poi: ["poi location"],
			developer: ["interconnecting entity"],
		},
		isFinished: () => false,
	},
	SPP: {
		key: "Generation Interconnection Number",
		columns: {
			status: ["status"],
			capacity_mw: ["capacity", "max summer mw", "max winter mw"],
			cod: ["commercial operation date"],
			withdrawn_date: ["date withdrawn"],
			cluster: ["current cluster"],
			poi: ["substation or line"],
		},
		isFinished: (row) => /operation|withdrawn|terminated/i.test(row.get("status") ?? ""),
	},
};

const isDate = (field: string) => /^cod$|_cod$|_date$/.test(field);

/** "" for nothing, which zero and less are of megawatts, a day of another century, and the word None. */
function stated(field: string, filed = ""): string {
	const cell = filed === "None" ? "" : filed;
	if (isDate(field)) {
		const slashed = /^(\d\d?)\/(\d\d?)\/(\d{4})/.exec(cell);
		const day = slashed === null ? cell : `${slashed[3]}-${two(slashed[1])}-${two(slashed[2])}`;
		return day < "2100" ? day : "";
	}
	if (field !== "capacity_mw") return cell;
	const megawatts = Math.round(Number(cell) * 1000) / 1000;
	return cell !== "" && megawatts > 0 ? String(megawatts) : "";
}
const two = (digits = "") => digits.padStart(2, "0");

/** As far as spelling goes two texts are the same. */
const spelled = (field: string, text: string) =>
	isDate(field) || field === "capacity_mw"
		? text
		: text
				.toLowerCase()
				.replace(/&/g, "and")
				.replace(/[^\p{L}\p{N}.]|\.(?!\d)/gu, "");

async function requestsOf(path: string, { sheets, key }: Layout): Promise<Map<string, Row>> {
	const tables = await tablesOf(path);
	const requests = new Map<string, Row>();
	for (const wanted of sheets ?? [/./])
		for (const { rows } of tables.filter((table) => wanted.test(table.sheet)))
			for (const [number, row] of requestsIn(rows, [key]))
				if (!requests.has(numberKey(number))) requests.set(numberKey(number), row);
	return requests;
}

/** Each as "number field: old > new", sorted; and the numbers in both files, and in the first alone. */
export async function readChanges(region: Region, before: string, after: string) {
	const layout = layouts[region];
	if (layout === undefined) throw new Error(`${region} has no reader`);
	const [old, now] = [await requestsOf(before, layout), await requestsOf(after, layout)];
	const both = [...now].filter(([number]) => old.has(number));
	const changes = both.flatMap(([number, row]) =>
		Object.entries(layout.columns).flatMap(([field, headers]) => {
			const of = (from: Row | undefined) =>
				headers.map((header) => stated(field, from?.get(header))).find((value) => value !== "") ?? "";
			const [was, is] = [of(old.get(number)), of(row)];
			const isOver = field === "cod" && is === "" && layout.isFinished(row);
			return isOver || spelled(field, was) === spelled(field, is) ? [] : [`${number} ${field}: ${was} > ${is}`];
		}),
	);
	return {
		changes: changes.sort(),
		numbers: new Set(both.map(([number]) => number)),
		gone: [...old.keys()].filter((number) => !now.has(number)),
		fields: Object.keys(layout.columns),
	};
}

/** The feed's, of the list that was loaded from the path. */
export async function feedChanges(
	sql: Sql,
	path: string,
	{ numbers, fields }: Awaited<ReturnType<typeof readChanges>>,
) {
	const rows = await sql<{ queue_id: string | null; field: string; old: string | null; new: string | null }[]>`
		select queue_id, field_name as field, old_value as old, new_value as new
		from changes c join snapshot_files f using (snapshot_id)
		where f.name = ${path} and c.feed = f.feed and change_type <> 'raw_update' and field_name = any(${fields}::text[])`;
	return rows
		.filter(({ queue_id }) => queue_id === null || numbers.has(numberKey(queue_id)))
		.map(
			(row) =>
				`${row.queue_id === null ? "all" : numberKey(row.queue_id)} ${row.field}: ${row.old ?? ""} > ${row.new ?? ""}`,
		)
		.sort();
}
