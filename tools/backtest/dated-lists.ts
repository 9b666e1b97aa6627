/** Every dated list of every operator at hand, oldest first: what was known on its day, and what tells what became of the days before. */
import { readdirSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Region } from "../../libs/contract/vocabulary.ts";
import { realData } from "../bench/real-data.ts";
import { type List, list } from "./lists.ts";

/** ERCOT's reports from 2018-12 on; three of them stand among the other lists. */
const archive = resolve(process.env.ARCHIVE_DIR ?? resolve(realData, "../archive"));

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** The month of a report by its name, and which of several of one month it is: corrected ones after the first, the second correction last. */
function reportOf(name: string): { month: string; correction: string } | null {
	const [, word, year, correction] = /^GIS_Report_([a-z]+)_?(\d{4})_?(\w*)\.xlsx$/i.exec(name) ?? [];
	const at = months.indexOf(word?.slice(0, 3).toLowerCase() ?? "");
	return at < 0 ? null : { month: `${year}-${String(at + 1).padStart(2, "0")}`, correction: correction ?? "" };
}

/** One report a month of these paths, the corrected where there is one; oldest first. */
export function newestReports(paths: readonly string[]): List[] {
	const found = paths.flatMap((path) => {
		const report = reportOf(basename(path));
		return report === null ? [] : [{ ...report, path }];
	});
	found.sort((a, b) => order(a.month, b.month) || order(a.correction.toLowerCase(), b.correction.toLowerCase()));
	const newest = new Map(found.map((report) => [report.month, report]));
	return [...newest.values()].map(({ month, path }) => list("ercot", lastDayOf(month), path));
}

function ercotReports(): List[] {
	const folders = [resolve(realData, "ercot"), resolve(archive, "ercot")];
	return newestReports(folders.flatMap((folder) => namesIn(folder).map((name) => resolve(folder, name))));
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function lastDayOf(month: string): string {
	const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5, 7))];
	return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

/** Lists that together are an operator's queue on a day. */
export interface Queue {
	asOf: string;
	lists: List[];
}

const one = (only: List): Queue => ({ asOf: only.asOf, lists: [only] });

/** Lists by operator, oldest first. */
export function queuesOf(): Partial<Record<Region, Queue[]>> {
	return {
		PJM: [
			one(list("pjm-serial", "2024-08-19", "pjm/2024-08-19/PJM_PlanningQueues.xlsx")),
			one(list("pjm-serial", "2025-01-23", "pjm/2025-01-23/PlanningQueues.xlsx")),
			{
				asOf: "2026-05-05",
				lists: [
					list("pjm-serial", "2026-05-05", "pjm/2026-05-05/PlanningQueues-2026-05-05.derived.csv"),
					list("pjm-cycle", "2026-06-29", "pjm/2026-06-29/raw_pjm_cycle_transition.csv"),
				],
			},
		],
		MISO: [
			one(list("miso", "2024-07-01", "miso/2024-07-approx/GI Interactive Queue.csv")),
			one(list("miso", "2025-01-23", "miso/2025-01-23/GI Interactive Queue.csv")),
			one(list("miso", "2025-05-11", "miso/2025-05-11/GI Interactive Queue.csv")),
			one(list("miso", "2026-06-30", "miso/2026-06-30/raw_miso.json")),
		],
		ERCOT: ercotReports().map(one),
		CAISO: [
			one(list("caiso", "2024-07-13", "caiso/2024-07-13/publicqueuereport.xlsx")),
			one(list("caiso", "2025-01-23", "caiso/2025-01-23/publicqueuereport.xlsx")),
			one(list("caiso", "2025-08-11", "caiso/weekly/publicqueuereport-08112025.xlsx")),
			one(list("caiso", "2025-12-27", "caiso/2025-12-27/publicqueuereport.xlsx")),
			one(list("caiso", "2026-07-20", "caiso/weekly/publicqueuereport-07202026.xlsx")),
		],
		NYISO: [
			one(list("nyiso", "2020-11-19", "nyiso/2020-11-19/NYISO-Interconnection-Queue.xlsx")),
			one(list("nyiso", "2024-12-10", "nyiso/2024-12-10/NYISO-Interconnection-Queue.xlsx")),
			one(list("nyiso", "2025-01-09", "nyiso/2025-01-09/NYISO-Interconnection-Queue.xlsx")),
		],
		SPP: [
			one(list("spp", "2024-07-12", "spp/2024-07-12/GI_ActiveRequest.xlsx")),
			one(list("spp", "2025-01-22", "spp/2025-01-22/GI_ActiveRequest.xlsx")),
			one(list("spp", "2026-06-30", "spp/2026-06-30/raw_spp.csv")),
		],
		"ISO-NE": [
			one(list("isone", "2024-08-30", "isone/2024-08-30/ISONE_QueueReport_20240830090927.xlsx")),
			one(list("isone", "2025-01-23", "isone/2025-01-23/QueueReport.xlsx")),
			one(list("isone", "2026-06-29", "isone/2026-06-29/raw_isone.csv")),
		],
	};
}
