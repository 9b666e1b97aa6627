/** Stores what files hold, whichever tables it belongs to. */
import type { Sql } from "#libs/postgres/connect.ts";
import { leaveSample } from "./leave-sample.ts";
import type { Records } from "./read-task.ts";
import { storeArticles } from "./store-articles.ts";
import { storeFilings } from "./store-filings.ts";
import { storeIndex } from "./store-index.ts";
import { storeRaises } from "./store-raises.ts";
import type { Stored } from "./storing.ts";

/** What was published; the first of it takes the sample's place. */
export async function storeContent(sql: Sql, records: Records): Promise<Stored> {
	const { articles, raises, index, filings } = records;
	if (articles.length + raises.length + index.length + filings.length > 0) await leaveSample(sql);
	return storeRecords(sql, records);
}

/** The index first: filings take their day from it. */
export async function storeRecords(sql: Sql, { index, raises, filings, coFilers, articles }: Records): Promise<Stored> {
	const parts = [
		await storeIndex(sql, index),
		await storeRaises(sql, raises),
		await storeFilings(sql, filings, coFilers),
		await storeArticles(sql, articles),
	];
	return parts.reduce((sum, part) => ({ stored: sum.stored + part.stored, known: sum.known + part.known }));
}
