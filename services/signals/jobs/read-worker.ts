/** Runs in a thread of its own: reads one file, or several that are only whole together. */
import { answerInThread } from "#libs/files/in-thread.ts";
import { readEightK } from "../sources/eight-k/index.ts";
import { readFormD } from "../sources/form-d/index.ts";
import { readNews } from "../sources/news/index.ts";
import type { Parsed } from "../sources/parsed.ts";
import type { Content, ReadTask } from "./read-file.ts";

const nothing: Omit<Content, "rowsIn" | "dropped"> = { articles: [], raises: [], index: [], filings: [], coFilers: [] };

async function read({ source, files, now }: ReadTask): Promise<Content> {
	const at = { now: new Date(now) };
	if (source === "form-d") {
		const { filings, index } = await readFormD(files, at);
		return { ...nothing, ...account(filings, index), raises: filings.records, index: index.records };
	}
	if (source === "8-k") {
		const { filings, index, coFilers, companies } = readEightK(files, at);
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

function account(...parts: Parsed<unknown>[]): Pick<Content, "rowsIn" | "dropped"> {
	return {
		rowsIn: parts.reduce((sum, { rowsIn }) => sum + rowsIn, 0),
		dropped: parts.flatMap(({ dropped }) => dropped),
	};
}

const companyRows = (count: number) =>
	count === 0 ? [] : [{ reason: "a company of a list, which is no filing", count, examples: [] }];

await answerInThread(read);
