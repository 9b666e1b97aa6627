/** The counted outcomes that version 3 rests on: the table that `npm run backtest -- --write` makes, and the chance of a request by it. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { type chanceBases, type Region, regions } from "#libs/contract/vocabulary.ts";
import {
	type OutcomeDate,
	type OutcomeStage,
	outcomeDateOf,
	outcomeDates,
	outcomeStageOf,
	outcomeStages,
} from "./outcome-cells.ts";
import type { ScoreInputs, ScoreTables } from "./tables.ts";

const count = z.coerce.number().int().min(0);
const share = z.coerce.number().min(0).max(1);

/** What was counted: of so many requests so many were so by the later list. */
const cell = z.strictObject({
	requests: count,
	built: count,
	advancing: count,
	waiting: count,
	lost: count,
	/** The chance of built or advancing, and the bounds of its 95 % interval. */
	value: share,
	low: share,
	high: share,
});
export type OutcomeCell = z.output<typeof cell>;

const row = cell.extend({
	version: z.coerce.number().int(),
	/** An operator with a record of its own, or `all`. */
	region: z.enum([...regions, "all"]),
	stage: z.enum(outcomeStages),
	date: z.enum(outcomeDates),
});
export type OutcomeRow = z.output<typeof row>;

type Cells = ReadonlyMap<string, OutcomeCell>;

export interface OutcomeTable {
	/** Every stage and date has its cell. */
	pooled: Cells;
	/** Of operators with a record of their own. */
	operators: ReadonlyMap<string, Cells>;
	/** By how much more or less of an operator's requests the chance is than such requests have in all regions. */
	leads: ReadonlyMap<string, number>;
}

/** A version whose milestone and posture are what became of such requests, instead of points that were set. */
export interface CountedTables extends Omit<ScoreTables, "milestones" | "posture"> {
	readonly outcomes: OutcomeTable;
}

export type VersionTables = ScoreTables | CountedTables;

export const cellName = (stage: OutcomeStage, date: OutcomeDate): string => `${stage} ${date}`;

/** From so many requests on a cell says more of the operator than the pooled rate does; an operator needs so many outcomes in all. */
export const leastRequests = { ofCell: 20, ofOperator: 200 };

/** Columns of the file, in order. */
export const outcomeColumns = Object.keys(
	row.pick({ version: true, region: true, stage: true, date: true }).extend(cell.shape).shape,
) as (keyof OutcomeRow)[];

const madeBy = "`npm run backtest -- --write` makes it";

/** Throws `Error` with a sentence for people where the table is missing, is none, or is that of another version. */
export function readOutcomeTable(file: URL, version: number): OutcomeTable {
	const name = file.pathname.split("/").at(-1);
	let text: string;
	try {
		text = readFileSync(file, "utf8");
	} catch {
		throw new Error(`The table ${name} of version ${version} of the score cannot be read: ${madeBy}.`);
	}
	const rows = parsed(text);
	if (rows === null)
		throw new Error(`${name} is no whole table of outcomes for version ${version} of the score: ${madeBy}.`);
	const other = rows.find((each) => each.version !== version);
	if (other !== undefined)
		throw new Error(`${name} is the table of version ${other.version}, not of version ${version} of the score.`);
	return tableOf(rows);
}

export function tableOf(rows: readonly OutcomeRow[]): OutcomeTable {
	const tables = new Map<string, Map<string, OutcomeCell>>();
	for (const { version, region, stage, date, ...counted } of rows) {
		const cells = tables.get(region) ?? new Map<string, OutcomeCell>();
		tables.set(region, cells.set(cellName(stage, date), counted));
	}
	const { all: pooled = new Map(), ...others } = Object.fromEntries(tables);
	const operators = new Map(Object.entries(others));
	const leads = [...operators].map(([region, cells]) => [region, leadOf(cells, pooled)] as const);
	return { pooled, operators, leads: new Map(leads) };
}

/** The mean over the requests that were counted. */
function leadOf(cells: Cells, pooled: Cells): number {
	const counted = [...cells].filter(([name]) => !name.endsWith(" any"));
	const requests = counted.reduce((sum, [, each]) => sum + each.requests, 0);
	const ahead = counted.reduce(
		(sum, [name, each]) => sum + each.requests * (each.value - (pooled.get(name)?.value ?? 0)),
		0,
	);
	return requests === 0 ? 0 : ahead / requests;
}

/** Null for what is no whole table. */
function parsed(text: string): OutcomeRow[] | null {
	const [head, ...lines] = text.trimEnd().split("\n");
	if (head !== outcomeColumns.join()) return null;
	const rows = lines.map((line) => {
		const values = line.split(",");
		const named = Object.fromEntries(outcomeColumns.map((column, at) => [column, values[at] || undefined]));
		return values.length === outcomeColumns.length ? row.safeParse(named).data : undefined;
	});
	const read = rows.filter((each) => each !== undefined);
	const { pooled } = tableOf(read);
	const isWhole = outcomeStages.every((stage) => outcomeDates.every((date) => pooled.has(cellName(stage, date))));
	return read.length === rows.length && isWhole ? read : null;
}

/** The chance of a request, with what it was counted on. */
export interface Chance {
	stage: OutcomeStage;
	date: OutcomeDate;
	value: number;
	low: number;
	high: number;
	/** `operator`: its own record weighs more than the pooled rate. */
	basis: (typeof chanceBases)[number];
	/** Of the operator; null where it has no record of its own. */
	own: OutcomeCell | null;
	pooled: OutcomeCell;
	/** Of the operator over all its requests; 0 where it has no record. */
	lead: number;
}

export const chanceOf = (
	inputs: Pick<ScoreInputs, "milestone" | "region" | "cod_distance" | "cod_position">,
	table: OutcomeTable,
): Chance => chanceIn(table, inputs.region, outcomeStageOf(inputs.milestone), outcomeDateOf(inputs));

export function chanceIn(table: OutcomeTable, region: Region, stage: OutcomeStage, date: OutcomeDate): Chance {
	const name = cellName(stage, date);
	const pooled = table.pooled.get(name);
	if (pooled === undefined) throw new Error(`the table of outcomes has no row for ${name}`);
	const own = table.operators.get(region)?.get(name) ?? null;
	const { value, low, high } = own ?? pooled;
	const basis = own !== null && own.requests >= leastRequests.ofCell ? "operator" : "pooled";
	return { stage, date, value, low, high, basis, own, pooled, lead: table.leads.get(region) ?? 0 };
}
