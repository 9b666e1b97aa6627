/** Loads one year's set of files of form EIA-860: tables, owners and links in one transaction, whole or not at all. */
import { StructureError } from "#libs/files/structure-error.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { wakeRelay } from "#libs/postgres/events/outbox.ts";
import { type OwnershipCounts, type ResolveNames, recordOwnership } from "../../history/events/record-ownership.ts";
import { type FileReport, type LoadOutcome, noteApplied } from "../../sources/file-report.ts";
import { insertRows } from "../../sources/insert-rows.ts";
import { lockWriters, withGroupLock } from "../../sources/locks.ts";
import { eia860 } from "../sources/index.ts";
import { generatorSchedules, type Schedule, type ScheduleFile, schedules } from "../sources/schedule.ts";
import { linkStates } from "./link-plants.ts";

export interface ReadSchedule {
	sha256: string;
	report: FileReport;
	content: ScheduleFile;
}

export interface YearReport extends OwnershipCounts {
	year: number;
	outcome: LoadOutcome;
	loaded: Schedule[];
	missing: Schedule[];
	early_release: Schedule[];
	/** Requests that are linked to a plant now, in the states of this year's plants. */
	linked_projects: number;
	reason: string | null;
}

export interface Eia860Report {
	source: "eia860";
	outcome: LoadOutcome;
	years: YearReport[];
	files: FileReport[];
	reason: string | null;
}

/** A file of a schedule with less than this share of the rows of the loaded one is refused. */
const collapseShare = 0.6;

interface YearOptions {
	resolve: ResolveNames;
	follow: (tx: Transaction, asOf: string) => Promise<unknown> | undefined;
	now: Date;
}

export async function loadYear(
	sql: Sql,
	year: number,
	set: ReadSchedule[],
	{ resolve, follow, now }: YearOptions,
): Promise<YearReport> {
	try {
		return await withGroupLock(sql, "EIA-860", async (tx) => {
			const written = await writeYear(tx, year, set);
			if (written === 0) return { ...(await yearState(tx, year)), outcome: "unchanged" as const };
			await lockWriters(tx);
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

/** Writes the files that differ from the loaded ones, except early releases of loaded final files. Returns their number. @throws StructureError */
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
			throw new StructureError(
				`${second.report.file}: has the same schedule (${schedule} of ${year}) as ${first.report.file}; load only one of them`,
			);
		if (second !== undefined) markIgnored(second.report);
		const before = loaded.get(schedule);
		if (before?.sha256 === first.sha256) continue;
		if (before !== undefined && !before.early && first.content.earlyRelease) {
			markIgnored(first.report);
			continue;
		}
		if (first.content.records.length < collapseShare * (before?.stored ?? 1))
			throw new StructureError(
				`${first.report.file}: ${before === undefined ? "it has no rows" : `rows collapsed from ${before.stored} to ${first.content.records.length}`}`,
			);
		await writeSchedule(tx, first.content, first.sha256);
		first.report.outcome = "applied";
		written++;
	}
	return written;
}

/** An early release does not replace a final file, because it is incomplete. */
function markIgnored(report: FileReport): void {
	const ignored = {
		reason: "an early release of a schedule whose final file is known",
		count: report.rows_stored,
		examples: [],
	};
	Object.assign(report, { outcome: "unchanged", rows_stored: 0, reported: [...report.reported, ignored] });
}

async function yearState(sql: Sql | Transaction, year: number): Promise<YearReport> {
	const rows = await sql<{ schedule: Schedule; early: boolean }[]>`
		select schedule, early_release as early from eia_schedules where year = ${year}`;
	const loaded = schedules.filter((schedule) => rows.some((row) => row.schedule === schedule));
	// The full list contains the generators of the other schedules.
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

async function publication(tx: Transaction, year: number, now: Date): Promise<string> {
	const [row] = await tx<{ at: string }[]>`
		select iso(least(coalesce(max(published_on), make_date(${year}, 12, 31)), ${now.toISOString()}::timestamptz)) as at
		from eia_schedules where year = ${year}`;
	if (row === undefined) throw new Error("the query of the publication day returned no row");
	return row.at;
}

/** The feed is as of the newest stored workbook: the day on which it was saved, but not before the end of its year. */
async function noteFeed(tx: Transaction, now: Date): Promise<void> {
	const newest = tx`
		select newest, newest as published_on, stored, null as sha256 from (
			select least(max(greatest(published_on, make_date(year, 12, 31))), ${now.toISOString()}::timestamptz::date) as newest,
				sum(stored) as stored
			from eia_schedules) s`;
	await noteApplied(tx, eia860.feed, newest, now);
}

const isGenerators = (schedule: Schedule): boolean => generatorSchedules.some((name) => name === schedule);
const tables: Partial<Record<Schedule, string>> = { utility: "utilities", plant: "plants", owner: "plant_owners" };

async function writeSchedule(tx: Transaction, file: ScheduleFile, sha256: string): Promise<void> {
	const { year, schedule, records } = file;
	const table = tables[schedule] ?? "generators";
	const replaced = isGenerators(schedule) ? tx`year = ${year} and schedule = ${schedule}` : tx`year = ${year}`;
	await tx`delete from ${tx(table)} where ${replaced}`;
	await insertRows(tx, table, records, isGenerators(schedule) ? { year, schedule } : { year });
	await tx`analyze ${tx(table)}`;
	await tx`
		insert into eia_schedules (year, schedule, sha256, early_release, published_on, stored)
		values (${year}, ${schedule}, ${sha256}, ${file.earlyRelease}, ${file.publishedOn}, ${records.length})
		on conflict (year, schedule) do update set sha256 = excluded.sha256, early_release = excluded.early_release,
			published_on = excluded.published_on, stored = excluded.stored, loaded_at = now()`;
}
