/** Takes in files of one source, each whole or not at all, and records what became of it. */
import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import type { Pipeline } from "../domain/pipelines.ts";
import { recogniseEightK } from "../sources/eight-k/index.ts";
import { recogniseFormD } from "../sources/form-d/index.ts";
import { recogniseNews } from "../sources/news/index.ts";
import { type Content, readFiles, type SourceFile } from "./read-file.ts";
import { type FileReport, recordFile } from "./record-file.ts";
import { storeArticles } from "./store-articles.ts";
import { storeFilings } from "./store-filings.ts";
import { storeIndex } from "./store-index.ts";
import { storeRaises } from "./store-raises.ts";
import type { Stored } from "./storing.ts";

/** Bytes of the largest file of each source: a quarter's index of all filings, a company's list, GDELT's day. */
const maxBytes: Record<Pipeline, number> = { "form-d": 192 * 1024 ** 2, "8-k": 64 * 1024 ** 2, news: 64 * 1024 ** 2 };
/** Most files that one call takes in. */
const maxFiles = 50_000;

/** Files that are only whole beside others of their folder: tables of one data set, a list and its content. */
const joined: ReadonlySet<string> = new Set(["quarterly-table", "screener-filings", "screener-index"]);

export interface Options {
	now: () => Date;
	/** Called with each file's report as it comes. */
	report: (report: FileReport) => void;
	/** Called with each file of a folder that is none of the source's. */
	leftOut: (path: string) => void;
}

/** Throws when the database fails; what is wrong with a file is its outcome. */
export async function ingestFiles(
	sql: Sql,
	source: Pipeline,
	paths: string[],
	options: Options,
): Promise<FileReport[]> {
	const reports: FileReport[] = [];
	for await (const group of groupsOf(source, paths, options)) {
		const report = group instanceof Refusal ? refused(group) : await ingestGroup(sql, source, group, options.now());
		await recordFile(sql, source, report, options.now());
		options.report(report);
		reports.push(report);
	}
	return reports;
}

/** A file that is not read. */
class Refusal {
	readonly name: string;
	readonly file: SourceFile | undefined;
	readonly reason: string;

	constructor(name: string, reason: string, file?: SourceFile) {
		this.name = name;
		this.reason = reason;
		this.file = file;
	}
}

/** The files in order, those that are only whole together as one, at the end. */
async function* groupsOf(
	source: Pipeline,
	paths: string[],
	{ leftOut }: Pick<Options, "leftOut">,
): AsyncGenerator<SourceFile[] | Refusal> {
	const together = new Map<string, string[]>();
	let files = 0;
	for await (const { path, named, size } of filesAt(paths)) {
		if (++files > maxFiles) throw new StructureError(`more than ${maxFiles} files: take them in folder by folder`);
		if (size === undefined || size > maxBytes[source]) {
			const reason = size === undefined ? "there is no such file" : `${size} bytes are no file of ${source}`;
			if (named) yield new Refusal(basename(path), reason);
			else leftOut(path);
			continue;
		}
		const file = { name: basename(path), bytes: await readFile(path) };
		const kind = kindOf(source, file);
		if (kind !== null && joined.has(kind)) together.set(dirname(path), [...(together.get(dirname(path)) ?? []), path]);
		else if (kind !== null) yield [file];
		else if (named) yield new Refusal(file.name, `is no file of ${source} that is known`, file);
		else leftOut(path);
	}
	for (const members of together.values())
		yield await Promise.all(members.map(async (path) => ({ name: basename(path), bytes: await readFile(path) })));
}

interface Found {
	path: string;
	/** By the caller, not found in a folder. */
	named: boolean;
	/** Bytes; undefined where there is none. */
	size: number | undefined;
}

/** The files named and those in the folders named, folders in them included, in the order of their paths. */
async function* filesAt(paths: string[]): AsyncGenerator<Found> {
	for (const path of paths) {
		const found = await stat(path).catch(() => undefined);
		if (!found?.isDirectory()) {
			yield { path, named: true, size: found?.size };
			continue;
		}
		const entries = await readdir(path, { recursive: true, withFileTypes: true });
		const inside = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
		for (const file of inside.sort()) yield { path: file, named: false, size: (await stat(file)).size };
	}
}

function kindOf(source: Pipeline, file: SourceFile): string | null {
	if (source === "form-d") return recogniseFormD(file);
	return source === "8-k" ? recogniseEightK(file) : recogniseNews(file);
}

async function ingestGroup(sql: Sql, source: Pipeline, files: SourceFile[], now: Date): Promise<FileReport> {
	const about = aboutFiles(files);
	let content: Content;
	try {
		content = await readFiles({ source, files, now: now.toISOString() });
	} catch (error) {
		if (!(error instanceof StructureError)) throw error;
		return { ...about, ...none, outcome: "refused", reason: error.message };
	}
	const { stored, known } = await store(sql, content);
	const outcome = stored > 0 ? "applied" : "unchanged";
	return { ...about, rows_in: content.rowsIn, stored, known, dropped: content.dropped, outcome, reason: null };
}

/** The index first: filings take their day from it. */
async function store(sql: Sql, content: Content): Promise<Stored> {
	const parts = [
		await storeIndex(sql, content.index),
		await storeRaises(sql, content.raises),
		await storeFilings(sql, content.filings, content.coFilers),
		await storeArticles(sql, content.articles),
	];
	return parts.reduce((sum, part) => ({ stored: sum.stored + part.stored, known: sum.known + part.known }));
}

const none = { rows_in: 0, stored: 0, known: 0, dropped: [] };

const refused = ({ name, file, reason }: Refusal): FileReport => ({
	...(file === undefined ? { name, sha256: "", sizeBytes: 0 } : aboutFiles([file])),
	...none,
	outcome: "refused",
	reason: `${name}: ${reason}`,
});

function aboutFiles(files: readonly SourceFile[]): Pick<FileReport, "name" | "sha256" | "sizeBytes"> {
	const hash = createHash("sha256");
	for (const { bytes } of files) hash.update(bytes);
	return {
		name: files.map(({ name }) => name).join(" + "),
		sha256: hash.digest("hex"),
		sizeBytes: files.reduce((sum, { bytes }) => sum + bytes.length, 0),
	};
}

/** What the last line of an ingest by hand says. */
export interface Sum {
	source: Pipeline;
	files: number;
	rows_in: number;
	stored: number;
	known: number;
	/** Rows that became no record, for the reasons given file by file. */
	dropped: number;
	outcome: "applied" | "unchanged" | "refused" | "failed";
	reason: string | null;
}

/** Refused when a file was; failed when there was none. */
export function sumOf(source: Pipeline, reports: readonly FileReport[]): Sum {
	const of = (count: (report: FileReport) => number) => reports.reduce((sum, report) => sum + count(report), 0);
	const refusals = reports.filter(({ outcome }) => outcome === "refused");
	const stored = of((report) => report.stored);
	const taken = stored > 0 ? "applied" : "unchanged";
	const outcome = refusals.length > 0 ? "refused" : reports.length === 0 ? "failed" : taken;
	return {
		source,
		files: reports.length,
		rows_in: of((report) => report.rows_in),
		stored,
		known: of((report) => report.known),
		dropped: of((report) => report.dropped.reduce((sum, { count }) => sum + count, 0)),
		outcome,
		reason: reports.length === 0 ? `no file of ${source} was found` : (refusals[0]?.reason ?? null),
	};
}
