/** Reads files of a source, each whole or refused. */
import { StructureError } from "#libs/files/structure-error.ts";
import type { Parsed } from "../domain/parsed.ts";
import type { Pipeline } from "../domain/pipelines.ts";
import { readEightK } from "../sources/eight-k/index.ts";
import { readFormD } from "../sources/form-d/index.ts";
import { readNews } from "../sources/news/index.ts";
import type { Content, FileGroup, ReadTask, Records, Refused, RowAccount } from "./read-task.ts";

const nothing: Records = { articles: [], raises: [], index: [], filings: [], coFilers: [] };

/** Of each group its content or why it is refused. Throws for a fault of ours alone. */
export async function readAll({ source, groups, now }: ReadTask): Promise<(Content | Refused)[]> {
	const contents: (Content | Refused)[] = [];
	for (const group of groups) {
		try {
			contents.push(await read(source, group, new Date(now)));
		} catch (error) {
			if (!(error instanceof StructureError)) throw error;
			contents.push({ refused: error.message });
		}
	}
	return contents;
}

async function read(source: Pipeline, files: FileGroup, now: Date): Promise<Content> {
	if (source === "form-d") {
		const { filings, index } = await readFormD(files, { now });
		return { ...nothing, ...account(filings, index), raises: filings.records, index: index.records };
	}
	if (source === "8-k") {
		const { filings, index, coFilers, companies } = readEightK(files, { now });
		const listed = companies.records.length;
		const unwanted = { ...companies, dropped: [...companies.dropped, ...companyRows(listed)] };
		return {
			...nothing,
			...account(filings, index, unwanted),
			filings: filings.records,
			index: index.records,
			coFilers,
		};
	}
	const parts = await Promise.all(files.map(readNews));
	return { ...nothing, ...account(...parts), articles: parts.flatMap(({ records }) => records) };
}

function account(...parts: Parsed<unknown>[]): RowAccount {
	return {
		rowsIn: parts.reduce((sum, { rowsIn }) => sum + rowsIn, 0),
		dropped: parts.flatMap(({ dropped }) => dropped),
		notes: parts.flatMap(({ notes = [] }) => notes),
	};
}

const companyRows = (count: number) =>
	count === 0 ? [] : [{ reason: "a company of a list, which is no filing", count, examples: [] }];
