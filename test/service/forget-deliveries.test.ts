import { expect, test } from "vitest";
import { startInboxPruning } from "#libs/service/open-owner.ts";
import { sqlOf } from "../bus/parties.ts";
import { createDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";

test("deliveries are remembered for two weeks, twice as long as their stream can bring them again", async () => {
	const database = await createDatabase();
	await using sql = sqlOf(database.url);
	await sql`
		insert into inbox (event_id, reaction, received_at)
		select n::text, 'copy-things', now() - make_interval(hours => case when n <= 12000 then 337 else 335 end)
		from generate_series(1, 12100) n`;
	const logged: object[] = [];
	const log = {
		debug() {},
		info: (fields: object) => logged.push(fields),
		error: (fields: object) => logged.push(fields),
	};
	await using _ = startInboxPruning(sql, { log, everyMs: 20 });
	await eventually(() => logged.length > 0);
	expect(logged).toEqual([{ deliveries: 12_000 }]);
	expect((await sql`select from inbox where received_at < now() - interval '336 hours'`).count).toBe(0);
	expect((await sql`select from inbox`).count).toBe(100);
});
