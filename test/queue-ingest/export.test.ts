/** The files of an export, against the rows of the list: field by field, whatever is in them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fileColumns } from "#libs/contract/exports/files.ts";
import { operations as contract, type ParamsInput } from "#libs/contract/index.ts";
import {
	projectColumns,
	projectSchemaVersion,
	projectTable,
} from "#libs/contract/operations/projects/project-columns.ts";
import { groupRows } from "#libs/parquet/column-file.ts";
import { exportFile } from "#libs/parquet/file.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { exportProjects, projectSelect } from "../../services/queue-ingest/extracts/export-operations.ts";
import { schema } from "../../services/queue-ingest/migrate.ts";
import { createDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { type JsonRow, keyValues, readCsv, readParquet } from "../support/export-files.ts";
import { filed, tricks } from "./support/odd-rows.ts";

type Input = ParamsInput<"exportProjects">;

let database: TestDatabase;
let sql: Sql & AsyncDisposable;
beforeAll(async () => {
	database = await createDatabase();
	sql = connect(database.url, { schema, name: "test", max: 4, statementTimeoutMs: 0 });
	await insert(
		tricks.map((name, at) => ({
			id: `PJM-${at}`,
			name,
			developer: name,
			counties: at % 2 === 0 ? [] : [name.replaceAll(";", ","), "Second"],
			capacity_mw: [0.1 + 0.2, -0, 1e-9, 123456789.125, null][at % 5] ?? null,
			security_posted: [true, false, null][at % 3] ?? null,
			queue_date: at % 2 === 0 ? null : `20${10 + at}-02-28`,
			investability_score: at % 2 === 0 ? at : null,
			missing_since: at % 3 === 0 ? "2026-05-06T07:08:09Z" : null,
		})),
	);
});
afterAll(async () => {
	await sql?.[Symbol.asyncDispose]();
	await database?.drop();
});

async function insert(rows: JsonRow[]): Promise<void> {
	const whole = rows.map((row) => ({ ...filed, ...row }));
	await sql.begin(async (tx) => {
		await tx`insert into projects select * from json_populate_recordset(null::projects, ${JSON.stringify(whole)}::text::json)`;
		await raiseDataVersion(tx);
	});
}

const never = new AbortController().signal;

async function file(input: Input = {}): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	const params = contract.exportProjects.params.parse({ include_unlisted: true, ...input });
	for await (const chunk of exportProjects({ sql, now: () => new Date() })(params, { signal: never }))
		chunks.push(Buffer.from(chunk));
	return Buffer.concat(chunks);
}

/** Headers at its beginning, and trailers at its end. */
async function saidOf(input: Input = {}): Promise<Record<string, string>[]> {
	const heads: Record<string, string>[] = [];
	const params = contract.exportProjects.params.parse({ include_unlisted: true, ...input });
	for await (const _ of exportProjects({ sql, now: () => new Date() })(params, {
		signal: never,
		head: (head) => void heads.push(head),
	}));
	return heads;
}

/** The rows as every list shows them. */
async function listed(): Promise<JsonRow[]> {
	const rows = await sql<{ body: string }[]>`select body from projects order by id`;
	return rows.map(({ body }) => JSON.parse(body));
}

const names = projectColumns().map(({ name }) => name);

describe("CSV", () => {
	it("read by a strict parser equals the JSON of the list, field by field, for any content", async () => {
		const { header, rows } = readCsv(await file());
		expect(header).toEqual(names);
		expect(rows).toHaveLength(tricks.length);
		expect(rows).toEqual(await listed());
	});

	it("without rows is only the header", async () => {
		expect((await file({ state: "AK" })).toString()).toBe(`${names.join(",")}\n`);
	});
});

describe("Parquet", () => {
	it("read by an independent reader equals the JSON of the list, field by field, for any content", async () => {
		const { rows } = await readParquet(await file({ format: "parquet" }));
		expect(rows).toHaveLength(tricks.length);
		expect(rows).toEqual(await listed());
	});

	it("without rows is a file with every column", async () => {
		const { metadata, rows } = await readParquet(await file({ format: "parquet", state: "AK" }));
		expect(rows).toEqual([]);
		expect(metadata.row_groups).toEqual([]);
		expect(metadata.schema[0]?.num_children).toBe(fileColumns(projectColumns(), "parquet").length);
		expect(JSON.parse(keyValues(metadata).geo ?? "").columns.geometry).not.toHaveProperty("bbox");
	});

	it("has typed columns, and states its versions and units", async () => {
		const { metadata } = await readParquet(await file({ format: "parquet" }));
		const of = (name: string) => metadata.schema.find((element) => element.name === name);
		expect(of("capacity_mw")).toMatchObject({ type: "DOUBLE", repetition_type: "OPTIONAL" });
		expect(of("queue_date")).toMatchObject({ type: "INT32", converted_type: "DATE" });
		expect(of("first_seen_at")).toMatchObject({ type: "INT64", repetition_type: "REQUIRED" });
		expect(of("first_seen_at")?.logical_type).toMatchObject({ type: "TIMESTAMP", isAdjustedToUTC: true });
		expect(of("security_posted")).toMatchObject({ type: "BOOLEAN" });
		expect(of("investability_score")).toMatchObject({ type: "INT32" });
		expect(of("counties")).toMatchObject({ converted_type: "LIST" });
		const { units = "", geo: _, ...said } = keyValues(metadata);
		const [version] = await sql`select version::text, iso(raised_at) as raised_at from data_version`;
		expect(said).toEqual({
			schema_version: projectSchemaVersion,
			data_version: version?.version,
			generated_at: version?.raised_at,
		});
		expect(JSON.parse(units)).toMatchObject({ capacity_mw: "MW", estimated_credit_value: "USD", lat: "degrees" });
	});
});

describe.each(["csv", "parquet"] as const)("a %s file", (format) => {
	const idsOf = async (input: Input) => {
		const bytes = await file({ ...input, format });
		const { rows } = format === "csv" ? readCsv(bytes) : await readParquet(bytes);
		return rows.map(({ id }) => id);
	};

	it.each(tricks.filter((trick) => trick.trim() !== ""))("is filtered by %j as by any text", async (trick) => {
		const at = tricks.indexOf(trick);
		expect(await idsOf({ developer: trick })).toContain(`PJM-${at}`);
		expect(
			await idsOf({ status: trick, study_phase: trick, ia_status: trick, county: trick, poi: trick.padEnd(2, "%") }),
		).toEqual([]);
	});

	it("has no more rows than the limit, the first by id", async () => {
		expect(await idsOf({ limit: 3 })).toEqual(["PJM-0", "PJM-1", "PJM-10"]);
	});

	it("is identical, byte for byte, until the data changes, and states its version and number of rows", async () => {
		const before = await file({ format, limit: 5 });
		expect((await file({ format, limit: 5 })).equals(before)).toBe(true);
		const [version] = await sql`select version::text, iso(raised_at) as raised_at from data_version`;
		const fields = {
			"x-data-version": version?.version,
			"x-schema-version": projectSchemaVersion,
			"generated-at": version?.raised_at,
			"x-seq": "0",
		};
		expect(await saidOf({ format, limit: 5 })).toEqual([fields, { ...fields, rows: "5" }]);
		await sql.begin(async (tx) => {
			await tx`update projects set name = name || '!', version = version + 1 where id = 'PJM-0'`;
			await raiseDataVersion(tx);
		});
		expect((await file({ format, limit: 5 })).equals(before)).toBe(false);
		const [then] = await saidOf({ format, limit: 5 });
		expect(then?.["x-data-version"]).toBe(String(Number(version?.version) + 1));
	});
});

it("all rows are from one snapshot, with the stated version", async () => {
	const params = contract.exportProjects.params.parse({ include_unlisted: true });
	const heads: Record<string, string>[] = [];
	const head = (each: Record<string, string>) => void heads.push(each);
	let before: JsonRow[] = [];
	const choose = async () => {
		before = await listed();
		await insert([{ id: "PJM-new" }]);
		return { select: projectSelect(params) };
	};
	const file = { table: projectTable, by: ["id"], choose };
	const chunks = await Array.fromAsync(exportFile(sql, params, file, { signal: never, head }));
	expect(readCsv(Buffer.concat(chunks)).rows).toEqual(before);
	const [now] = await sql<{ version: number }[]>`select version from data_version`;
	const version = { "x-data-version": String((now?.version ?? 0) - 1) };
	expect(heads).toMatchObject([version, { ...version, rows: String(before.length) }]);
	await sql`delete from projects where id = 'PJM-new'`;
});

describe("with more rows than one row group", () => {
	const many = groupRows + 1;
	beforeAll(async () => {
		await sql`
			insert into projects
			select row.* from generate_series(1, ${many}) as copy, projects p
			cross join lateral jsonb_populate_record(p, jsonb_build_object('id', 'SPP-' || lpad(copy::text, 8, '0'), 'state', 'OK',
				'poi', repeat('substation ' || copy, 5))) as row
			where p.id = 'PJM-1'`;
	});

	it("Parquet has full row groups and a remainder, in order", async () => {
		const { metadata, rows } = await readParquet(await file({ format: "parquet", state: "OK" }));
		expect(metadata.row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([groupRows, 1]);
		expect(rows.map(({ id }) => id)).toEqual(
			Array.from({ length: many }, (_, at) => `SPP-${String(at + 1).padStart(8, "0")}`),
		);
	});

	it.each(["csv", "parquet"] as const)("a reader of %s that disconnects leaves no session behind", async (format) => {
		const gone = new AbortController();
		const params = contract.exportProjects.params.parse({ format, state: "OK" });
		const chunks = exportProjects({ sql, now: () => new Date() })(params, { signal: gone.signal })[
			Symbol.asyncIterator
		]();
		await chunks.next();
		gone.abort(new Error("the caller has gone"));
		await chunks.return?.();
		await eventually(async () => {
			const [row] = await sql<{ open: number }[]>`
				select count(*) as open from pg_stat_activity where datname = current_database() and query ilike 'copy%'`;
			return row?.open === 0;
		});
		// The thread that others share goes on.
		expect((await file({ format, limit: 1 })).length).toBeGreaterThan(0);
	});

	it("rows interrupted in PostgreSQL do not end like a complete export", async () => {
		const params = contract.exportProjects.params.parse({ state: "OK" });
		const chunks = exportProjects({ sql, now: () => new Date() })(params, { signal: never })[Symbol.asyncIterator]();
		await chunks.next();
		const cut = await sql`select pg_terminate_backend(pid) from pg_stat_activity
			where datname = current_database() and query ilike 'copy%' and pid <> pg_backend_pid()`;
		expect(cut).toHaveLength(1);
		const rest = async () => {
			while ((await chunks.next()).done !== true);
		};
		await expect(rest()).rejects.toThrow();
	});
});
