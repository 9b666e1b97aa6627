/** A batch of news from its records to the stream: classified, matched, folded, stored, published. */
import { setTimeout as pause } from "node:timers/promises";
import { connect } from "#libs/postgres/connect.ts";
import { schema } from "../../services/signals/migrate.ts";
import { storeArticles } from "../../services/signals/news/store-articles.ts";
import type { Article } from "../../services/signals/records/records.ts";
import { median, timed } from "./measure.ts";
import type { Row } from "./report.ts";
import type { Bench } from "./system.ts";

const aimMs = 1_000;

export async function measureSignals(bench: Bench, say: (line: string) => void): Promise<Row[]> {
	const { rounds, warmUps } = bench.size.turns(7);
	const batch = bench.size.count(1_000);
	await using sql = connect(bench.urlOf("signals"), { schema, name: "bench", max: 2, statementTimeoutMs: 0 });
	const pending = async () => (await sql<{ n: number }[]>`select count(*) as n from outbox`)[0]?.n ?? 0;
	const names = await knownNames();
	const stored: number[] = [];
	const published: number[] = [];
	let events = 0;
	for (let round = -warmUps; round < rounds; round++) {
		const articles = headlines(names, round + warmUps, batch);
		const started = performance.now();
		const storedMs = await timed(() => storeArticles(sql, articles));
		while ((await pending()) > 0) await pause(2);
		if (round < 0) continue;
		stored.push(storedMs);
		published.push(performance.now() - started);
	}
	const [row] = await sql<{ n: number }[]>`select count(*) as n from article_matches`;
	events = Math.round((row?.n ?? 0) / (warmUps + rounds));
	say("signals: done");
	return [
		{
			measure: `${batch} articles, stored and published`,
			unit: "ms",
			ours: published,
			baseline: published.map(() => aimMs),
			aim: { atMost: 1 },
			note: `the baseline is the aim; stored in ${Math.round(median(stored))}, ${events} matches, ${names.length} developers`,
		},
	];

	/** The register that queue-ingest announced, once it has arrived. */
	async function knownNames(): Promise<string[]> {
		for (;;) {
			const rows = await sql<{ name: string }[]>`select canonical_name as name from developers order by developer_id`;
			if (rows.length > 100 && (await pending()) === 0) return rows.map(({ name }) => name);
			await pause(100);
		}
	}
}

/** Every fourth names a developer; every tenth is a copy of the one before in another outlet. */
function headlines(names: readonly string[], round: number, batch: number): Article[] {
	return Array.from({ length: batch }, (_, at) => {
		const story = at % 10 === 9 ? at - 1 : at;
		const who = story % 4 === 0 ? (names[story % names.length] ?? "") : `Company ${story}`;
		const domain = `outlet${at % 97}.com`;
		return {
			url: `https://www.${domain}/news/${round}/${at}/${story}-a-headline`,
			title: `${who} closes $${100 + story} million financing for solar project ${round} in county ${story}`,
			domain,
			publishedAt: new Date(Date.UTC(2026, 9, 1 + round, 0, 0, at)).toISOString().replace(".000Z", "Z"),
			source: "GDELT GKG",
			sourceCountry: "United States",
			language: "English",
			organizations: [who, "Bank of Somewhere", "Department of Energy"],
			snippet: null,
		};
	});
}
