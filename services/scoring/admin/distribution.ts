/** Prints how scores, credits and ratings are distributed, to check whether they are plausible. */
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { databaseUrl, runProgram } from "#libs/service/program.ts";
import { schema } from "../migrate.ts";

const readScoresBy = (sql: Sql, by: "region" | "developer_tier") => sql<Record<string, unknown>[]>`
	select p.${sql(by)}, count(*) as open, round(avg(score), 1) as mean, min(score) as least,
		percentile_disc(0.5) within group (order by score) as median, max(score) as most,
		count(*) filter (where grade = 'A') as a, count(*) filter (where grade = 'B') as b, count(*) filter (where grade = 'C') as c,
		count(*) filter (where grade = 'D') as d, count(*) filter (where grade = 'F') as f,
		count(*) filter (where investable) as investable
	from scores s join projects p using (project_id)
	where score_version = (select active_version from settings) group by 1 order by 1`;

/** Tables by title, each row an object. */
const tables: readonly { title: string; read(sql: Sql): PromiseLike<readonly object[]> }[] = [
	{
		title: "Open requests",
		read: (sql) => sql`
			select (select active_version from settings) as score_version, count(*) as open, count(s.project_id) as scored
			from projects p left join scores s on s.project_id = p.project_id and score_version = (select active_version from settings)
			where p.open`,
	},
	{ title: "Scores by region", read: (sql) => readScoresBy(sql, "region") },
	{ title: "Scores by tier of the developer", read: (sql) => readScoresBy(sql, "developer_tier") },
	{
		title: "Tax credits",
		read: (sql) => sql`
			select coalesce(credit_type, 'none') as credit, status, count(*) as requests, round(avg(effective_rate)::numeric, 3) as mean_rate,
				round(sum(estimated_value)) as usd, min(notice) as notice
			from credits group by 1, 2 order by 3 desc`,
	},
	{
		title: "Distress of developers with requests or signals",
		read: (sql) => sql`
			select distress_level as level, count(*) as developers, min(distress_score) as least, max(distress_score) as most,
				count(*) filter (where needs_capital) as needs_capital
			from developer_ratings where distress_components is not null group by 1 order by 4 desc`,
	},
];

await runProgram("distribution", async (_args, env) => {
	await using sql = connect(databaseUrl(env), { schema, name: "distribution", max: 1 });
	for (const { title, read } of tables) {
		console.log(`\n${title}`);
		console.table([...(await read(sql))]);
	}
	return 0;
});
