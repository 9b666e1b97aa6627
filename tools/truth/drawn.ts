/** Requests of each operator drawn at random, each beside its row in the operator's file and what LBNL and the EIA say of it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import type { Reply } from "../../libs/contract/index.ts";
import { type Region, regions } from "../../libs/contract/vocabulary.ts";
import { random } from "../../test/support/file-formats.ts";
import { ask, type Project } from "./answers.ts";
import { cellsIn, type FieldName, fieldNames, headersOf, statusIn } from "./fields.ts";
import { type FileRow, numberKey, publications, rowsOf } from "./files.ts";
import { type Verdict, verdictOf } from "./verdict.ts";

export interface Judged {
	field: FieldName | "row" | "status_std";
	answer: string | number | null;
	/** Raw, of the first header that says something. */
	cell: string;
	verdict: Verdict;
}

export interface Drawn {
	region: Region;
	id: string;
	/** Where its row stands. */
	file: string;
	fields: Judged[];
	basis: string | null;
	/** Berkeley Lab's status of the number, and the plant that it is linked to. */
	lbnl: string | null;
	eia: string | null;
}

const perOperator = 20;
const seed = 20261124;

export async function judgeDrawn(url: string, folder: string, projects: readonly Project[]): Promise<Drawn[]> {
	const lbnl = lbnlRows(folder);
	const drawn: Drawn[] = [];
	for (const region of regions.filter((each) => publications[each] !== undefined)) {
		const rows = await rowsOf(folder, region);
		for (const project of draw(projects.filter((each) => each.region === region && each.listed === "listed"))) {
			const own = matching(region, project, rows.get(numberKey(project.queue_id)) ?? []);
			const outcome = lbnl.get(`${region}\n${numberKey(project.queue_id)}`) ?? [];
			const { plant } = await ask<Reply<"getOwnership">>(url, `/projects/${encodeURIComponent(project.id)}/ownership`);
			drawn.push({
				region,
				id: project.id,
				file: own.map(({ file, sheet }) => (file.endsWith(sheet) ? file : `${file}, ${sheet}`)).join("; "),
				fields: judge(region, project, own, outcome),
				basis: project.status_basis,
				lbnl:
					outcome.map(({ status, on, name }) => `${status}${on === "" ? "" : ` ${on}`} (${name})`).join("; ") || null,
				eia:
					plant === null
						? null
						: `plant ${plant.plant_id} ${plant.plant_name ?? ""}, ${plant.method} ${plant.confidence}`,
			});
		}
	}
	return drawn;
}

/** Without putting back; always the same ones of the same requests. */
function draw(projects: readonly Project[]): Project[] {
	const next = random(seed);
	const left = projects.toSorted((a, b) => (a.id < b.id ? -1 : 1));
	const count = Math.min(perOperator, left.length);
	return Array.from({ length: count }, () => left.splice(Math.floor(next() * left.length), 1)).flat();
}

const plain = (text: string | null | undefined): string => (text ?? "").toLowerCase().replace(/[^a-z0-9]/g, "");

/** Where several rows have the number, those of the request's name. */
function matching(region: Region, project: Project, rows: readonly FileRow[]): readonly FileRow[] {
	const headers = headersOf[region]?.name ?? [];
	const named = rows.filter(({ cells }) =>
		headers.some((header) => plain(cells.get(header.toLowerCase())) === plain(project.name)),
	);
	return named.length > 0 ? named : rows;
}

interface Outcome {
	status: string;
	on: string;
	name: string;
	queued: string;
}

/** Berkeley Lab's rows by operator and number. */
function lbnlRows(folder: string): Map<string, Outcome[]> {
	const rows: Record<string, string>[] = parse(readFileSync(join(folder, "lbnl", "intq.derived.csv")), {
		columns: true,
	});
	const found = new Map<string, Outcome[]>();
	for (const row of rows) {
		const key = `${row.entity}\n${numberKey(row.q_id ?? "")}`;
		const outcome = {
			status: row.q_status ?? "",
			on: row.on_date ?? "",
			name: row.project_name ?? "",
			queued: row.q_date ?? "",
		};
		found.set(key, [...(found.get(key) ?? []), outcome]);
	}
	return found;
}

function judge(region: Region, project: Project, rows: readonly FileRow[], outcomes: readonly Outcome[]): Judged[] {
	if (rows.length === 0) return [{ field: "row", answer: project.queue_id, cell: "", verdict: "wrong" }];
	const fields = fieldNames.flatMap((field): Judged[] => {
		const headers = headersOf[region]?.[field];
		// The day on which a request was first filed is in an earlier list.
		const answer = field === "queue_date" ? (project.queue_date_current ?? project.queue_date) : project[field];
		// SPP publishes no names: its point of interconnection stands for one. Texas is where ERCOT is, and its sheets say the status.
		if (headers === undefined && (field === "name" || field === "state" || field === "status")) return [];
		const cells = rows.flatMap((row) => cellsIn(region, field, row));
		// Cluster 15's status is its sheet.
		if (field === "status" && cells.every((cell) => cell === "") && region === "CAISO") return [];
		const verdict = verdictOf(field, answer, cells);
		return [{ field, answer, cell: cells.find((cell) => cell !== "") ?? "", verdict }];
	});
	return [...fields, ofStatus(region, project, rows, outcomes)];
}

/** For a request that the file does not have, Berkeley Lab's one row of the number and name counts, or the plant that is named. */
function ofStatus(region: Region, project: Project, rows: readonly FileRow[], outcomes: readonly Outcome[]): Judged {
	const filed = statusIn(region, rows);
	const isFollowed = project.status_basis === "other_source" && filed === "Active";
	const [only, ...others] = outcomes;
	const isBacked =
		project.status === null &&
		others.length === 0 &&
		only?.status === "operational" &&
		plain(only.name) === plain(project.name);
	const says = isFollowed && (isBacked || project.status_evidence?.includes("EIA")) ? "Operational" : filed;
	return {
		field: "status_std",
		answer: project.status_std,
		cell: says,
		verdict: says === project.status_std ? "right" : "wrong",
	};
}
