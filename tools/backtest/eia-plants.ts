/** Plants by the EIA's forms and monthly lists: when each of their units began to operate, or that it was planned still. */
import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { linkPlantOf } from "../../services/queue-ingest/plants/jobs/read-plants.ts";
import type { LinkPlant } from "../../services/queue-ingest/plants/link-pair.ts";
import { familiesOf } from "../../services/queue-ingest/plants/plant-families.ts";
import { readPlanned } from "../../services/queue-ingest/plants/sources/eia860m-planned.ts";
import { epmNew, epmPlanned } from "../../services/queue-ingest/plants/sources/electric-power-monthly.ts";
import { readEia860 } from "../../services/queue-ingest/plants/sources/index.ts";
import type { GeneratorRow, plantFields } from "../../services/queue-ingest/plants/sources/schedule.ts";
import type { UnitRow } from "../../services/queue-ingest/plants/sources/unit.ts";
import { buildingCodes } from "../../services/queue-ingest/queues/eia-evidence.ts";
import type { RecordOf } from "../../services/queue-ingest/sources/cells.ts";
import type { RawFile } from "../../services/queue-ingest/sources/source.ts";
import { cached } from "./lists.ts";

/** The table of each year that has all its months, the last to November 2024. */
const newUnits = ["2021-02", "2022-02", "2023-02", "2024-02", "2025-01"].map(
	(issue) => `eia_epm/EPM_Table_6_03_${issue}.xlsx`,
);
/** Oldest first. */
const plannedUnits = [
	{ month: "2024-11", path: "eia_epm/EPM_Table_6_05_2025-01.xlsx" },
	{ month: "2026-02", path: "../data_2026-11/eia860m/eia860m_planned_2026-02.derived.json" },
	{ month: "2026-04", path: "eia860m/planned-2026-04.derived.json" },
	{ month: "2026-08", path: "../data_2026-11/eia860m/eia860m_planned_2026-08_5MWplus.csv" },
];
/** The day of the first of these lists. */
export const firstReportDay = "2024-11-30";
const cancelledUnits = "../data_2026-11/eia860m/eia860m_canceled_or_postponed_2026-08_plant62000plus.csv";
const plantForm = "eia860_later/2023/2___Plant_Y2023.xlsx";
const generatorForms = ["3_2_Wind", "3_3_Solar", "3_4_Energy_Storage"].map(
	(name) => `eia860_later/2024/${name}_Y2024.xlsx`,
);
/** Last day that the newest list of planned units tells of. */
export const eiaUntil = "2026-08-31";
/** The newest list has no smaller units. */
const leastMw = 5;

export interface EiaUnit {
	technology: string | null;
	capacityMw: number | null;
	summerMw: number | null;
	/** First day of the month in which it began to operate; null for a unit that is planned or was cancelled. */
	began: string | null;
	plannedYear: number | null;
	/** The first monthly list that has it under construction, `YYYY-MM`; null where none does. */
	reported: string | null;
}

export interface EiaPlant {
	described: Omit<Parameters<typeof linkPlantOf>[0], "units">;
	units: EiaUnit[];
}

export async function readEiaPlants(folder: string): Promise<EiaPlant[]> {
	const read = <Read>(path: string, parse: (file: RawFile) => Read | Promise<Read>) =>
		cached(`eia ${path}`, async () =>
			parse({ name: basename(path), bytes: await readFile(resolve(folder, path)) }),
		) as Promise<Read>;
	const all = <Read>(paths: readonly string[], parse: (file: RawFile) => Read | Promise<Read>) =>
		Promise.all(paths.map((path) => read(path, parse)));
	const started = (await all(newUnits, epmNew.parse)).flatMap(({ rows }) => rows);
	const planned = await all(
		plannedUnits.map(({ path }) => path),
		(file) => (file.name.endsWith(".xlsx") ? epmPlanned.parse(file) : readPlanned(file)),
	);
	const cancelled = await read(cancelledUnits, readPlanned);
	const plants = (await read(plantForm, readEia860)).records as RecordOf<typeof plantFields>[];
	const generators = (await all(generatorForms, readEia860)).flatMap(({ records }) => records as GeneratorRow[]);
	return plantsOf(
		[
			...started.map((row) => unitOf(row, monthOf(row))),
			...beganIn2024(generators, started),
			...leftOrPlanned(
				planned.map(({ rows }) => rows),
				new Set([...cancelled.rows, ...started].map(keyOf)),
			),
		],
		plants,
	);
}

type ReportedUnit = Pick<UnitRow, "plant_id" | "plant_name" | "state" | "lat" | "lon"> & {
	county?: string | null;
} & EiaUnit;

const keyOf = ({ plant_id, generator_id }: Pick<UnitRow, "plant_id" | "generator_id">) => `${plant_id} ${generator_id}`;

const monthOf = ({ year, month }: Pick<UnitRow, "year" | "month">): string =>
	`${year}-${String(month ?? 6).padStart(2, "0")}`;

const unitOf = (row: UnitRow, month: string | null, reported: string | null = null): ReportedUnit => ({
	...row,
	capacityMw: row.capacity_mw ?? row.summer_mw,
	summerMw: row.summer_mw,
	began: month === null ? null : `${month}-01`,
	plannedYear: row.year,
	reported,
});

/** The form says of which year a unit is: what began in 2024, and not by November, began in December. */
function beganIn2024(generators: readonly GeneratorRow[], started: readonly UnitRow[]): ReportedUnit[] {
	const known = new Set(started.map(keyOf));
	return generators
		.filter((row) => row.stage === "operable" && row.operating_year === 2024 && !known.has(keyOf(row)))
		.map((row) => ({
			...{ ...row, lat: null, lon: null, capacityMw: row.capacity_mw, summerMw: row.summer_mw },
			...{ began: "2024-12-01", plannedYear: 2024, reported: null },
		}));
}

/**
 * A unit that was being built, and is neither planned nor cancelled in the next list, operates: since the month it was planned for, or the
 * nearest between the two lists.
 */
export function leftOrPlanned(lists: readonly (readonly UnitRow[])[], ended: ReadonlySet<string>): ReportedUnit[] {
	const newest = new Map<string, { row: UnitRow; at: number; reported: string | null }>();
	for (const [at, rows] of lists.entries())
		for (const row of rows) {
			const { row: before, reported = null } = newest.get(keyOf(row)) ?? {};
			// The list of April states neither status nor month.
			const status = row.status ?? before?.status ?? null;
			newest.set(keyOf(row), {
				row: { ...row, status, month: row.month ?? before?.month ?? null },
				at,
				reported: reported ?? (buildingCodes.has(status ?? "") ? (plannedUnits[at]?.month ?? null) : null),
			});
		}
	return [...newest].flatMap(([key, { row, at, reported }]): ReportedUnit[] => {
		if (ended.has(key)) return [];
		const [last, next] = [plannedUnits[at]?.month ?? "", plannedUnits[at + 1]?.month];
		if (next === undefined) return [unitOf(row, null, reported)];
		if (!buildingCodes.has(row.status ?? "") || (row.capacity_mw ?? 0) < leastMw) return [];
		return [unitOf(row, [last, monthOf(row), next].sort()[1] ?? next, reported)];
	});
}

function plantsOf(units: readonly ReportedUnit[], forms: readonly RecordOf<typeof plantFields>[]): EiaPlant[] {
	const byId = new Map(forms.map((form) => [form.plant_id, form]));
	return [...Map.groupBy(units, ({ plant_id }) => plant_id)].flatMap(([plantId, own]): EiaPlant[] => {
		const form = byId.get(plantId);
		const stated = <Key extends "state" | "county" | "lat" | "lon">(key: Key) =>
			form?.[key] ?? own.find((unit) => (unit[key] ?? null) !== null)?.[key] ?? null;
		const state = stated("state");
		if (plantId === null || state === null) return [];
		const called = [...new Set([form?.name, ...own.map(({ plant_name }) => plant_name)].flatMap((name) => name ?? []))];
		const described = {
			...{ plantId, called, state, county: stated("county"), lat: stated("lat"), lon: stated("lon") },
			...{ balancingAuthority: form?.balancing_authority ?? null, gridOwner: form?.grid_owner ?? null },
			companies: [form?.utility_name ?? null],
		};
		return [{ described, units: own }];
	});
}

/** The plants with units that had not begun on a day, as if planned for when they did. */
export function plannedOn(plants: readonly EiaPlant[], day: string): LinkPlant[] {
	return plants.flatMap(({ described, units }) => {
		const coming = units.filter(({ began }) => began === null || began > day);
		if (coming.length === 0) return [];
		const rows = coming.map(({ technology, capacityMw, summerMw, began, plannedYear }) => ({
			...{ technology, capacityMw, summerMw, isPlanned: true },
			year: began === null ? plannedYear : Number(began.slice(0, 4)),
		}));
		return [linkPlantOf({ ...described, units: rows })];
	});
}

/**
 * The first of the plant's units of these technologies that began after a day, and whether a monthly list had one of them under construction
 * by then.
 */
export function unitsAfter({ units }: EiaPlant, technology: string, day: string) {
	const own = units.filter(
		(unit) =>
			(unit.began === null || unit.began > day) &&
			familiesOf(unit.technology).some((family) => familiesOf(technology).includes(family)),
	);
	const [began = null] = own.flatMap((unit) => unit.began ?? []).sort();
	return { began, isReported: own.some(({ reported }) => reported !== null && reported < day.slice(0, 7)) };
}
