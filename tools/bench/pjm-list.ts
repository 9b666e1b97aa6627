/** A list of PJM's as it is published daily: the real one where it is there, else one of the same size that is made up. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import type { RawFile } from "../../services/queue-ingest/sources/source.ts";
import { xmlOf } from "../../test/support/pjm-files.ts";
import type { Size } from "./system.ts";

/** Headers, then rows. */
export type List = string[][];

const published = "pjm/2026-05-05/PlanningQueues-2026-05-05.derived.csv";
/** The size of PJM's list. */
export const madeUpRows = 9_250;

export function pjmList({ realData, count }: Size): List {
	const path = realData === undefined ? undefined : join(realData, published);
	return path !== undefined && existsSync(path) ? parse(readFileSync(path)) : madeUpList({ rows: count(madeUpRows) });
}

/** The bytes in PJM's own format. */
export const asFile = (list: List): RawFile => xmlOf(list);

/** The list of another day: of `share` of the rows the capacity, the date to come or the status differs. Deterministic. */
export function nextDay(list: List, day: number, share = 0.015): List {
	const [headers = [], ...rows] = list;
	const at = (name: string) => headers.indexOf(name);
	const [status, capacity, cod] = [at("Status"), at("MFO"), at("Commercial Operation Milestone")];
	const every = Math.round(1 / share);
	const changed = rows.map((row, number) => {
		if ((number + day) % every !== 0) return row;
		const next = [...row];
		const kind = ((number / every + day) % 3) | 0;
		if (kind === 0) next[capacity] = String(Number(row[capacity] || 10) + day);
		else if (kind === 1) next[cod] = `${1 + (day % 12)}/${1 + (number % 28)}/2031`;
		else next[status] = row[status] === "Active" ? "Suspended" : (row[status] ?? "");
		return next;
	});
	return [headers, ...changed];
}

const statuses = ["Active", "Withdrawn", "In Service", "Withdrawn", "Engineering and Procurement", "Withdrawn"];
const fuels = ["Solar", "Solar; Storage", "Storage", "Natural Gas", "Wind", "Offshore Wind"];
const places = [
	["PA", "Lebanon"],
	["OH", "Madison"],
	["VA", "Halifax"],
	["IL", "Will"],
	["IN", "Pulaski"],
	["NJ", "Ocean"],
	["MD", "Caroline"],
	["DE", "Kent"],
	["WV", "Mason"],
	["KY", "Clark"],
	["NC", "Halifax"],
	["MI", "Berrien"],
];

export interface MadeUp {
	rows: number;
	/** Prefix of every request number: lists of two series share no request. */
	series?: string;
	/** Status of every row; each has its own when absent. */
	status?: string;
	/** Behind every fourth row, in turn. Of PJM's two queues the cycle queue names developers: with them the list is one of that. */
	developers?: readonly string[];
}

const stages = ["PHASE 1", "DP2", "PHASE 3", "Final Agreement"];
const pick = <T>(values: readonly T[], number: number) => values[number % values.length] as T;

/** Deterministic. */
export function madeUpList({ rows, series = "A", status, developers }: MadeUp): List {
	const headers = [
		..."Project ID,Name,Commercial Name,State,County,Status,Transmission Owner,MFO,MW Energy,MW Capacity".split(","),
		..."Capacity or Energy,Project Type,Fuel,Feasibility Study Status,System Impact Study Status".split(","),
		..."Facilities Study Status,Interim/Interconnection Service/Generation Interconnection Agreement Status".split(","),
		..."Submitted Date,Withdrawal Date,Commercial Operation Milestone,Actual In Service Date,Attachment Type".split(
			",",
		),
	];
	const made = Array.from({ length: rows }, (_, number) => madeUpRow(number, series, status ?? pick(statuses, number)));
	if (developers === undefined) return [headers, ...made];
	const cycle = made.map((row, number) => {
		const developer = number % 4 === 0 ? pick(developers, number / 4) : "";
		return [...row, "TC2", pick(stages, number >> 2), developer];
	});
	return [[...headers, "Cycle", "Stage", "Developer"], ...cycle];
}

function madeUpRow(number: number, series: string, status: string): string[] {
	const [state = "", county = ""] = pick(places, number * 7 + (number >> 4));
	const size = String(20 + ((number * 37) % 480));
	const date = `${1 + (number % 12)}/${1 + (number % 28)}/${2004 + (number % 20)}`;
	return [
		...[
			madeUpId(number, series),
			`${county} ${number % 97} 138 kV`,
			`Heron ${number} ${pick(fuels, number)} Project`,
			state,
			county,
			status,
		],
		...[pick(["DPL", "AEP", "PPL", "ComEd"], number), size, size, size, "Capacity", "Generation Interconnection"],
		...[pick(fuels, number), "Document Posted", pick(["Document Posted", "In Progress"], number), "", ""],
		...[date, status === "Withdrawn" ? date : "", status === "Active" ? "12/31/2028" : ""],
		...[status === "In Service" ? date : "", "N"],
	];
}

/** AA1-000, AA2-001, …, AZ2-899, BA1-000, … */
function madeUpId(number: number, series: string): string {
	const group = (number / 900) | 0;
	const first = String.fromCharCode(series.charCodeAt(0) + ((group / 26) | 0));
	const second = String.fromCharCode(65 + (group % 26));
	return `${first}${second}${1 + (number % 2)}-${String(number % 900).padStart(3, "0")}`;
}
