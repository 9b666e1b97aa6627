import { expect, test } from "vitest";
import { connect } from "#libs/postgres/connect.ts";
import { createDatabase } from "../support/database.ts";

test("a connection goes on after a COPY whose last rows its reader took late, or whose reader left", async () => {
	await using database = await createDatabase();
	await using sql = connect(database.url, { schema: "queue_ingest", name: "copy", max: 1 });
	const copied = async (rows: number, stopAfter: number) =>
		sql.begin(async (tx) => {
			let bytes = 0;
			const stream =
				await tx`copy (select repeat('x', 1000000) from generate_series(1, ${tx.unsafe(String(rows))})) to stdout`.readable();
			for await (const chunk of stream) {
				bytes += (chunk as Buffer).length;
				// Meanwhile everything arrives that the socket has.
				await new Promise(setImmediate);
				if (bytes > stopAfter) break;
			}
			const [row] = await tx<{ n: number }[]>`select 1 as n`;
			return { bytes, n: row?.n };
		});
	expect(await copied(3, Number.POSITIVE_INFINITY)).toEqual({ bytes: 3_000_003, n: 1 });
	expect(await copied(20, 1_000_000)).toMatchObject({ n: 1 });
	expect(await copied(1, 0)).toEqual({ bytes: 1_000_001, n: 1 });
});

test("a COPY that fails in the middle rejects, and its connection goes on", async () => {
	await using database = await createDatabase();
	await using sql = connect(database.url, { schema: "queue_ingest", name: "copy", max: 1 });
	const read = async () => {
		const stream = await sql`copy (select 1 / (50000 - i) from generate_series(1, 60000) i) to stdout`.readable();
		for await (const _ of stream);
	};
	await expect(read()).rejects.toThrow("division by zero");
	expect(await sql`select 1 as n`).toEqual([{ n: 1 }]);
});
