import { expect, test } from "vitest";
import type { Column } from "#libs/contract/exports/columns.ts";
import { writeColumns } from "./write-columns.ts";

const columns = ["id", "name"].map(
	(name): Column => ({ name, type: "string", nullable: true, unit: null, description: null }),
);

async function* rows(text: string, broken?: Error) {
	yield Buffer.from(text);
	if (broken !== undefined) throw broken;
}
const written = async (source: AsyncIterable<Uint8Array>) =>
	Buffer.concat(
		await Array.fromAsync(writeColumns({ format: "parquet", name: "rows", columns, metadata: {} }, source)),
	);

test.each([
	["break off", rows("1\ta\n", new Error("the session was lost")), "the session was lost"],
	["end in the middle of one", rows("1\ta\n2"), "ends within a row"],
	["have other columns", rows("1\ta\tb\n"), "a row has 3 columns, but the file has 2"],
])("rows that %s make no file, and the thread goes on for others", async (_, source, message) => {
	const other = written(rows("1\ta\n"));
	await expect(written(source)).rejects.toThrow(message);
	expect((await other).toString("latin1")).toMatch(/^PAR1.*PAR1$/s);
	expect((await written(rows("1\ta\n"))).equals(await other)).toBe(true);
});

test("the reader's progress is reported while the thread works, also for others", async () => {
	const reported = { times: 0 };
	const file = writeColumns(
		{ format: "parquet", name: "rows", columns, metadata: {} },
		rows("1\ta\n"),
		() => reported.times++,
	);
	await file.next();
	expect(reported.times).toBeGreaterThan(0);
	await file.return();
});
