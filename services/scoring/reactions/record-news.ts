/** Keeps what the news said of developers. An article that is matched anew takes its earlier matches back. */
import { newestOfEach } from "#libs/bus/newest.ts";
import type { Reaction } from "#libs/bus/react.ts";
import { newsRecorded } from "#libs/contract/events/signals.ts";
import { enqueueDevelopers } from "../jobs/recompute-queue.ts";

export const recordNews: Reaction<typeof newsRecorded> = {
	service: "scoring",
	name: "record-news",
	event: newsRecorded,
	async handler(tx, events) {
		const articles = newestOfEach(events, (event) => event.article_id);
		const newer = await tx<{ article_id: number }[]>`
			insert into articles as t (article_id, title, domain, published_at, event_type, seeks_capital, version)
			select * from jsonb_to_recordset(${JSON.stringify(articles)}::text::jsonb)
				as e (article_id bigint, title text, domain text, published_at timestamptz, event_type text, seeks_capital boolean,
					version bigint)
			order by article_id
			on conflict (article_id) do update set (title, domain, published_at, event_type, seeks_capital, version)
				= (excluded.title, excluded.domain, excluded.published_at, excluded.event_type, excluded.seeks_capital, excluded.version)
				where excluded.version > t.version
			returning article_id`;
		const ids = new Set(newer.map((row) => row.article_id));
		const before = await tx<{ developer_id: number }[]>`
			delete from article_developers where article_id = any(${[...ids]}::bigint[]) returning developer_id`;
		const matches = articles
			.filter(({ article_id }) => ids.has(article_id))
			.flatMap(({ article_id, developers }) => developers.map((match) => ({ article_id, ...match })));
		await tx`
			insert into article_developers (article_id, developer_id, confidence, bankruptcy, subject)
			select article_id, developer_id, max(match_confidence), bool_or(bankruptcy), max(subject) from jsonb_to_recordset(${JSON.stringify(matches)}::text::jsonb)
				as e (article_id bigint, developer_id integer, match_confidence float8, bankruptcy boolean,
					subject text) group by 1, 2`;
		await enqueueDevelopers(
			tx,
			[...before, ...matches].map((row) => row.developer_id),
		);
	},
};
