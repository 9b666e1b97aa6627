/** Loads one year's set of files of form EIA-860: tables, owners and links in one transaction, whole or not at all. */
import { StructureError } from "#libs/files/structure-error.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { wakeRelay } from "#libs/postgres/events/outbox.ts";
import { type ResolveNames, recordOwnership } from "../../history/events/record-ownership.ts";
import type { FileReport } from "../../sources/file-report.ts";
import { eia860 } from "../sources/index.ts";
import { generatorSchedules, type Schedule, type ScheduleFile, schedules } from "../sources/schedule.ts";
import type { YearReport } from "./eia860-report.ts";
import { linkStates } from "./link-plants.ts";
export interface ReadSchedule {
	sha256: string;
	report: FileReport;
	content: ScheduleFile;
}

/** A second file of a schedule with less than this share of the rows of the one before replaces nothing. */
const collapseShare = 0.6;

interface YearHandling {
	resolve: ResolveNames;
	follow: (tx: Transaction, asOf: string) => Promise<unknown> | undefined;
	now: Date;
}

/** Marks the reports of the files with what became of them. */
export async function loadYear(
	sql: Sql,
	year: number,
	set: ReadSchedule[],
	{ resolve, follow, now }: YearHandling,
): Promise<YearReport> {
	try {
		return await sql.begin(async (tx) => {
			await tx`set local work_mem = '64MB'`;
			await tx`select pg_advisory_xact_lock(hashtext('queue-ingest'), hashtext('EIA-860'))`;
			const written = await writeYear(tx, year, set);
			if (written === 0) return { ...(await yearState(tx, year)), outcome: "unchanged" as const };
			// From here on this schema has one writer, as when a list is applied.
			await tx`select pg_advisory_xact_lock(hashtext('queue-ingest writes'))`;
			const recorded = await recordOwnership(tx, year, resolve);
			const linked_projects = await linkStates(tx, year);
			await follow(tx, await publication(tx, year, now));
			await noteFeed(tx, now);
			await raiseDataVersion(tx);
			await wakeRelay(tx);
			return { ...(await yearState(tx, year)), ...recorded, linked_projects, outcome: "applied" as const };
		});
	} catch (error) {
		if (!(error instanceof StructureError)) throw error;
		for (const { report } of set) Object.assign(report, { outcome: "quarantined", rows_stored: 0 });
		const state = await yearState(sql, year);
		return { ...state, outcome: "quarantined", reason: error.message };
	}
}

/** Writes the files that are newer or better than what is loaded; answers how many. Throws `StructureError`. */
async function writeYear(tx: Transaction, year: number, set: ReadSchedule[]): Promise<number> {
	const rows = await tx<{ schedule: Schedule; sha256: string; early: boolean; stored: number }[]>`
		select schedule, sha256, early_release as early, stored from eia_schedules where year = ${year}`;
	const loaded = new Map(rows.map((row) => [row.schedule, row]));
	let written = 0;
	for (const schedule of schedules) {
		const [first, second] = set
			.filter(({ content }) => content.schedule === schedule)
			.sort((a, b) => Number(a.content.earlyRelease) - Number(b.content.earlyRelease));
		if (first === undefined) continue;
		if (second !== undefined && first.content.earlyRelease === second.content.earlyRelease)
			throw new StructureError(`${second.report.file}: a second file of the ${schedule} schedule of ${year}`);
		if (second !== undefined) leaveOut(second.report);
		const before = loaded.get(schedule);
		if (before?.sha256 === first.sha256) continue;
		if (before !== undefined && !before.early && first.content.earlyRelease) {
			leaveOut(first.report);
			continue;
		}
		if (first.content.records.length < collapseShare * (before?.stored ?? 1))
			throw new StructureError(
				`${first.report.file}: rows collapsed from ${before?.stored ?? "any"} to ${first.content.records.length}`,
			);
		await writeSchedule(tx, first.content, first.sha256);
		first.report.outcome = "applied";
		written++;
	}
	return written;
}

/** An early release is incomplete: what it lacks is not gone. */
function leaveOut(report: FileReport): void {
	const left = { reason: "an early release beside the final", count: report.rows_stored, examples: [] };
	Object.assign(report, { outcome: "unchanged", rows_stored: 0, reported: [...report.reported, left] });
}

async function yearState(sql: Sql | Transaction, year: number): Promise<YearReport> {
	const rows = await sql<{ schedule: Schedule; early: boolean }[]>`
		select schedule, early_release as early from eia_schedules where year = ${year}`;
	const loaded = schedules.filter((schedule) => rows.some((row) => row.schedule === schedule));
	// The full list holds the generators of the others.
	const covered = loaded.includes("generator") ? generatorSchedules : [];
	return {
		year,
		outcome: "unchanged",
		loaded,
		missing: schedules.filter((name) => !loaded.includes(name) && !covered.some((other) => other === name)),
		early_release: loaded.filter((name) => rows.some((row) => row.schedule === name && row.early)),
		...{ stated: 0, inferred: 0, announced: 0, withdrawn: 0, linked_projects: 0 },
		reason: null,
	};
}

/** ISO moment of the year's newest workbook: the year's end where none says when it was saved. */
async function publication(tx: Transaction, year: number, now: Date): Promise<string> {
	const [row] = await tx<{ at: string }[]>`
		select iso(least(coalesce(max(published_on), make_date(${year}, 12, 31)), ${now.toISOString()}::timestamptz)) as at
		from eia_schedules where year = ${year}`;
	if (row === undefined) throw new Error("no publication");
	return row.at;
}

/** The pipeline is as old as the newest workbook in the tables: the year's end where none says when it was saved. */
async function noteFeed(tx: Transaction, now: Date): Promise<void> {
	await tx`
		insert into feeds (feed, applied_as_of, published_on, requests, last_checked_at, last_success_at, last_changed_at, last_outcome)
		select ${eia860.feed}, newest, newest, stored, ${now.toISOString()}, newest, newest, 'applied'
		from (select least(max(greatest(published_on, make_date(year, 12, 31))), ${now.toISOString()}::timestamptz::date) as newest,
			sum(stored) as stored from eia_schedules) s
		on conflict (feed) do update set applied_as_of = excluded.applied_as_of, published_on = excluded.published_on,
			requests = excluded.requests, last_checked_at = excluded.last_checked_at, last_success_at = excluded.last_success_at,
			last_changed_at = excluded.last_changed_at, last_outcome = 'applied', last_reason = null`;
}

const utilityColumns = "utility_id integer, name text, street text, city text, state text, zip text, entity_type text";
const plantColumns = `plant_id integer, name text, utility_id integer, utility_name text, street text, city text, state text,
	zip text, county text, lat float8, lon float8, nerc_region text, balancing_authority text, sector text, grid_owner text,
	grid_voltage_kv float8`;
const generatorColumns = `plant_id integer, generator_id text, stage text, status text, technology text, prime_mover text,
	utility_id integer, utility_name text, plant_name text, state text, county text, capacity_mw float8, summer_mw float8,
	operating_year integer`;
const ownerColumns = `plant_id integer, generator_id text, position integer, owner_id integer, owner_name text, fraction float8,
	owner_street text, owner_city text, owner_state text, owner_zip text, status text, plant_name text, state text,
	utility_id integer, utility_name text`;

const isGenerators = (schedule: Schedule): boolean => generatorSchedules.some((name) => name === schedule);

function targetOf(schedule: Schedule): { table: string; columns: string } {
	if (schedule === "utility") return { table: "utilities", columns: utilityColumns };
	if (schedule === "plant") return { table: "plants", columns: plantColumns };
	return schedule === "owner"
		? { table: "plant_owners", columns: ownerColumns }
		: { table: "generators", columns: generatorColumns };
}

const batch = 4_000;

async function writeSchedule(tx: Transaction, file: ScheduleFile, sha256: string): Promise<void> {
	const { table, columns } = targetOf(file.schedule);
	const names = columns
		.split(",")
		.map((column) => column.trim().split(" ")[0])
		.join(", ");
	const key = isGenerators(file.schedule) ? "year, schedule" : "year";
	const values = isGenerators(file.schedule) ? "$1::integer, $2::text" : "$1::integer";
	const keyValues = isGenerators(file.schedule) ? [file.year, file.schedule] : [file.year];
	await tx.unsafe(`delete from ${table} where (${key}) = (${values})`, keyValues);
	for (let at = 0; at < file.records.length; at += batch) {
		await tx.unsafe(
			`insert into ${table} (${key}, ${names})
			select ${values}, ${names} from jsonb_to_recordset($${keyValues.length + 1}::text::jsonb) as t (${columns})`,
			[...keyValues, JSON.stringify(file.records.slice(at, at + batch))],
		);
	}
	await tx.unsafe(`analyze ${table}`);
	await tx`
		insert into eia_schedules (year, schedule, sha256, early_release, published_on, stored)
		values (${file.year}, ${file.schedule}, ${sha256}, ${file.earlyRelease}, ${file.publishedOn}, ${file.records.length})
		on conflict (year, schedule) do update set sha256 = excluded.sha256, early_release = excluded.early_release,
			published_on = excluded.published_on, stored = excluded.stored, loaded_at = now()`;
}
