import { expect, it } from "vitest";
import { storeFilings } from "../../services/signals/filings/store-filings.ts";
import { republish } from "../../services/signals/ingest/republish.ts";
import { storeArticles } from "../../services/signals/news/store-articles.ts";
import { storeRaises } from "../../services/signals/raises/store-raises.ts";
import { article, developer, eightK, formD } from "./support/records.ts";
import { openSignals } from "./support/signals.ts";

it("everything published can be republished in its present state under new ids", async () => {
	await using signals = await openSignals();
	await signals.developers(developer({ developer_id: 1, canonical_name: "Silicon Ranch" }));
	await storeArticles(signals.sql, [
		article({ title: "Silicon Ranch explores strategic alternatives" }),
		article({ title: "News of none" }),
	]);
	await storeRaises(signals.sql, [
		formD({ accession_number: "0001900001-26-000001", issuer_name: "Silicon Ranch Corp" }),
	]);
	await storeFilings(signals.sql, [
		eightK({ accessionNumber: "0001900002-26-000001" }),
		eightK({ accessionNumber: "0001900002-26-000002", items: ["9.01"] }),
	]);
	const published = await signals.announced();
	for (const name of ["news.recorded", "raise.recorded", "filing.recorded"])
		expect([name, await republish(signals.sql, name)]).toEqual([name, 1]);
	const again = await signals.announced();
	const content = ({ news, raises, filings }: typeof published) =>
		[...news, ...raises, ...filings].map(({ id: _id, occurred_at: _at, ...rest }) => rest);
	expect(content(again)).toEqual(content(published));
	expect(again.news[0]?.id).not.toBe(published.news[0]?.id);
	expect(await republish(signals.sql, "ownership.changed")).toBe(0);
	expect(await republish(signals.sql, "project.changed")).toBeUndefined();
});
