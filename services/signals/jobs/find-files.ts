/** The files that a call names, those of its folders too, and which of them are only whole together. */

import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { readRegularFile } from "#libs/files/read-regular-file.ts";
import type { Pipeline } from "../domain/pipelines.ts";
import { maxNewsBytes } from "../sources/news/index.ts";
import type { FileGroup, SourceFile } from "./read-task.ts";
import { describeUnknown, isDataName, kindOf } from "./unknown-files.ts";

/** Bytes of the largest file of each source: a quarter's index of all filings, a company's list. */
const maxBytes: Record<Pipeline, number> = { "form-d": 192 * 1024 ** 2, "8-k": 64 * 1024 ** 2, news: maxNewsBytes };
/** Most files that one call takes in. */
const maxFiles = 50_000;

/** Files that are only whole beside others of their folder: tables of one data set, a list and its content. */
const joined: ReadonlySet<string> = new Set(["quarterly-table", "screener-filings", "screener-index"]);

/** A file that cannot be read although it was named, or although it looks like one of the source's. */
export interface Unreadable {
	name: string;
	reason: string;
	/** Undefined where there is none, or it is too large. */
	file: SourceFile | undefined;
}

/**
 * The files in the order of their paths; those that are only whole together as one, at the end. `leftOut` is called with the files of a
 * folder that are whole and none of the source's, and what they are instead.
 */
export async function* findFiles(
	source: Pipeline,
	paths: string[],
	leftOut: (path: string, reason: string) => void,
): AsyncGenerator<FileGroup | Unreadable> {
	const together = new Map<string, string[]>();
	for await (const found of filesAt(paths)) {
		const { path } = found;
		const name = basename(path);
		const read = await readRegularFile(path, maxBytes[source]);
		if (read.bytes === undefined) {
			if (found.named || isDataName(name)) yield { name, reason: read.reason, file: undefined };
			else leftOut(path, read.reason);
			continue;
		}
		const file = { name, bytes: read.bytes };
		const kind = kindOf(source, file);
		const folder = dirname(path);
		if (kind !== null && joined.has(kind)) together.set(folder, [...(together.get(folder) ?? []), path]);
		else if (kind !== null) yield [file];
		else {
			const { reason, broken } = describeUnknown(file);
			if (found.named || (broken && isDataName(name))) {
				yield { name, reason: broken ? reason : `${reason}, and no file of ${source} that is known`, file };
			} else leftOut(path, reason);
		}
	}
	for (const members of together.values())
		yield await Promise.all(members.map(async (path) => ({ name: basename(path), bytes: await readFile(path) })));
}

interface Found {
	path: string;
	/** By the caller, not found in a folder. */
	named: boolean;
}

async function* filesAt(paths: string[]): AsyncGenerator<Found> {
	let files = 0;
	for (const path of paths) {
		const found = await stat(path).catch(() => undefined);
		if (!found?.isDirectory()) {
			yield { path, named: true };
			continue;
		}
		const entries = await readdir(path, { recursive: true, withFileTypes: true });
		const inside = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
		files += inside.length;
		if (files > maxFiles) throw new Error(`more than ${maxFiles} files: take them in folder by folder`);
		for (const file of inside.sort()) yield { path: file, named: false };
	}
}
