/**
 * Counted outcomes of requests, by how far they had come and how far ahead their projected date was. Version 3 of the score reads the table
 * that `npm run backtest -- --write` makes.
 */

import { readFileSync } from "node:fs";
import { z } from "zod";
import { type chanceBases, type Region, regions } from "#libs/contract/vocabulary.ts";
import type { Milestone, ScoreInputs, ScoreTables } from "./tables.ts";

/** How far a request has come, as far as outcomes differ, in order; suspended is outside this order. */
export const outcomeStages = [
	"early",
	"study",
	"last_study",
	"negotiated",
	"agreement_unsecured",
	"agreement",
	"construction",
	"suspended",
] as const;
export type OutcomeStage = (typeof outcomeStages)[number];

/** The projected date as seen from the day of the list; `any` is all of them together. */
export const outcomeDates = [
	"past",
	"under_1_year",
	"1_to_2_years",
	"2_to_3_years",
	"over_3_years",
	"none",
	"any",
] as const;
export type OutcomeDate = (typeof outcomeDates)[number];

export const outcomeKinds = ["built", "advancing", "waiting", "lost"] as const;
export type OutcomeKind = (typeof outcomeKinds)[number];

export const horizonMonths = 12;

export const outcomeDefinition =
	"The chance that 12 months after the day of the list the request is built (in operation) or still in the queue and advancing: under construction, or with an executed agreement and a projected date that has not passed by then, and not suspended. Counted in the first list 10 to 18 months later";

const stages: Readonly<Record<Milestone, OutcomeStage>> = {
	unstated: "early",
	not_started: "early",
	feasibility: "early",
	impact_study_pending: "early",
	cluster_phase_1: "early",
	impact_study: "study",
	full_study: "study",
	impact_study_complete: "study",
	cluster_phase_2: "study",
	facilities_study_pjm: "last_study",
	facilities_study: "last_study",
	full_study_complete: "last_study",
	agreement_negotiated: "negotiated",
	agreement_unsecured: "agreement_unsecured",
	agreement_executed: "agreement",
	agreement_secured: "agreement",
	construction: "construction",
	suspended: "suspended",
};

export const outcomeStageOf = (milestone: Milestone): OutcomeStage => stages[milestone];

/** Older stored inputs have no distance, only whether the date lies ahead. */
export function outcomeDateOf({
	cod_distance,
	cod_position,
}: Pick<ScoreInputs, "cod_distance" | "cod_position">): OutcomeDate {
	if (cod_distance !== undefined && cod_distance !== "not_judged") return cod_distance;
	return cod_position === "past" || cod_position === "none" ? cod_position : "any";
}

/** `later`: the request in the later list; null where that no longer contains it. */
export function outcomeOf(
	later: { status: ScoreInputs["status"]; milestone: Milestone; cod: string | null } | null,
	day: string,
): OutcomeKind {
	if (later === null || later.status === "Withdrawn") return "lost";
	if (later.status === "Operational") return "built";
	const stage = outcomeStageOf(later.milestone);
	if (stage === "construction") return "advancing";
	const isAgreed = stage === "agreement" || stage === "agreement_unsecured";
	return isAgreed && (later.cod === null || later.cod >= day) ? "advancing" : "waiting";
}

const count = z.coerce.number().int().min(0);
const share = z.coerce.number().min(0).max(1);

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
	region: z.enum([...regions, "all"]),
	stage: z.enum(outcomeStages),
	date: z.enum(outcomeDates),
});
export type OutcomeRow = z.output<typeof row>;

type Cells = ReadonlyMap<string, OutcomeCell>;

export interface OutcomeTable {
	pooled: Cells;
	operators: ReadonlyMap<string, Cells>;
	/** By how much the chance of an operator's requests differs from that of such requests in all regions. */
	leads: ReadonlyMap<string, number>;
}

/** A version whose milestone and posture are counted outcomes instead of set points. */
export interface CountedTables extends Omit<ScoreTables, "milestones" | "posture"> {
	readonly outcomes: OutcomeTable;
}

export type VersionTables = ScoreTables | CountedTables;

export const cellName = (stage: OutcomeStage, date: OutcomeDate): string => `${stage} ${date}`;

/** Least requests of a cell for the operator's own rate to weigh more than the pooled one, and least outcomes of an operator. */
export const leastRequests = { ofCell: 20, ofOperator: 200 };

export const outcomeColumns = Object.keys(
	row.pick({ version: true, region: true, stage: true, date: true }).extend(cell.shape).shape,
) as (keyof OutcomeRow)[];

const madeBy = "`npm run backtest -- --write` makes it";

/** @throws Error with a message for people where the table is missing, invalid, or of another version */
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
		throw new Error(`${name} is not a whole table of outcomes for version ${version} of the score: ${madeBy}.`);
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

function leadOf(cells: Cells, pooled: Cells): number {
	const counted = [...cells].filter(([name]) => !name.endsWith(" any"));
	const requests = counted.reduce((sum, [, each]) => sum + each.requests, 0);
	const ahead = counted.reduce(
		(sum, [name, each]) => sum + each.requests * (each.value - (pooled.get(name)?.value ?? 0)),
		0,
	);
	return requests === 0 ? 0 : ahead / requests;
}

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

export type Chance = ReturnType<typeof chanceIn>;

export const chanceOf = (
	inputs: Pick<ScoreInputs, "milestone" | "region" | "cod_distance" | "cod_position">,
	table: OutcomeTable,
): Chance => chanceIn(table, inputs.region, outcomeStageOf(inputs.milestone), outcomeDateOf(inputs));

export function chanceIn(table: OutcomeTable, region: Region, stage: OutcomeStage, date: OutcomeDate) {
	const name = cellName(stage, date);
	const pooled = table.pooled.get(name);
	if (pooled === undefined) throw new Error(`the table of outcomes has no row for ${name}`);
	const own = table.operators.get(region)?.get(name) ?? null;
	const { value, low, high } = own ?? pooled;
	// An operator with few requests in the cell has mostly the pooled rate.
	const basis: (typeof chanceBases)[number] =
		own !== null && own.requests >= leastRequests.ofCell ? "operator" : "pooled";
	return { stage, date, value, low, high, basis, own, pooled, lead: table.leads.get(region) ?? 0 };
}
