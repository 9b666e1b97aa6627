/** Stores which Form D filings there are: their day and file number complete what is stored, the others can be fetched. */
import type { Sql } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import type { IndexedFiling } from "../domain/parsed.ts";
import { writeIndex } from "./indexed-filings.ts";
import { completeRaises } from "./store-raises.ts";
import { inBatches, lockWriters, type Stored, storable } from "./storing.ts";

export const storeIndex = (sql: Sql, filings: readonly IndexedFiling[]): Promise<Stored> =>
	inBatches(filings, (batch) =>
		sql.begin(async (tx) => {
			await lockWriters(tx);
			const news = await writeIndex(tx, storable(batch));
			if (news.length > 0) {
				await completeRaises(sql, tx, news);
				await raiseDataVersion(tx);
			}
			return { stored: news.length, known: batch.length - news.length };
		}),
	);
