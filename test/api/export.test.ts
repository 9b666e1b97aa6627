/** Exports over HTTP, on the sample: the same choice of rows as `/projects`, in files that are what their manifest says. */
import { createHash } from "node:crypto";
import { describe, expect } from "vitest";
import { z } from "zod";
import { fileColumns, geoExportMediaTypes } from "#libs/contract/exports/files.ts";
import { operations } from "#libs/contract/index.ts";
import type { projectFilters } from "#libs/contract/operations/projects/project.ts";
import { projectColumns, projectSchemaVersion } from "#libs/contract/operations/projects/project-columns.ts";
import { sheetRow } from "#libs/parquet/workbook.ts";
import { type JsonRow, keyValues, readCsv, readParquet, readRows, readWorkbook } from "../support/export-files.ts";
import { random } from "../support/file-formats.ts";
import { test, type World } from "../support/world.ts";
import { unlimitedKey } from "./support/walk.ts";

const parquet = "application/vnd.apache.parquet";

let world: World;
let key: string;
let all: JsonRow[];
test.beforeAll(async ({ readOnlyWorld }) => {
	world = readOnlyWorld;
	key = await unlimitedKey(world);
	all = await listed(whole);
	const known = all.filter(({ developer_id }) => developer_id !== null);
	values.id = [
		String(all[3]?.id),
		all
			.slice(5, 30)
			.map(({ id }) => id)
			.join(","),
	];
	values.developer_id = [
		String(known[0]?.developer_id),
		known
			.slice(0, 20)
			.map((row) => row.developer_id)
			.join(","),
	];
});

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
	fetch(world.url + path, { method, headers: { "x-api-key": key, ...headers } });
const identity = { "accept-encoding": "identity" };
const query = (filters: Record<string, string>) => new URLSearchParams(filters).toString();

/** Every page of the list, as one. */
async function listed(filters: Record<string, string>): Promise<JsonRow[]> {
	const shape = z.object({ data: z.array(z.record(z.string(), z.unknown())), meta: z.object({ pages: z.number() }) });
	const rows: JsonRow[] = [];
	for (let page = 1, pages = 1; page <= pages; page++) {
		const answer = await get(`/projects?${query({ ...filters, page: String(page), per_page: "500" })}`);
		const { data, meta } = shape.parse(await answer.json());
		rows.push(...data);
		pages = meta.pages;
	}
	return rows;
}

async function exported(filters: Record<string, string>): Promise<Buffer> {
	const answer = await get(`/export/projects?${query(filters)}`);
	expect([filters, answer.status]).toEqual([filters, 200]);
	return Buffer.from(await answer.arrayBuffer());
}

const whole = { population: "all", include_unlisted: "true" };
const circle = { lat: "31", lon: "-99", radius_km: "400" };

/** Values of every filter, some of which the sample has (ids as they are assigned); a filter without one does not compile. */
const values: Record<keyof typeof projectFilters, readonly string[]> = {
	iso: ["PJM", "ercot", "NEISO"],
	region: ["MISO", "CAISO,nyiso", "nyiso"],
	state: ["TX", "ca", "PA,TX"],
	county: ["Kern", "kern county", "Nueces"],
	near: ["Kern, CA", "Nueces County, Texas"],
	fips: ["48355", "06029,48355"],
	fuel_type: ["Solar", "storage,WIND", "storage + solar"],
	status: ["Active", "withdrawn", "active,suspended"],
	active: ["true", "false"],
	listed: ["listed", "missing,disappeared", "disappeared"],
	plant_state: ["none", "operating,energized"],
	request_class: ["new", "surplus,replacement"],
	kind: ["load", "generation,transmission"],
	include_unlisted: ["true", "false"],
	id: ["NONE-1"],
	q: ["solar", "sub", "O'"],
	developer: ["energy", "llc", "o'brien"],
	developer_id: ["1"],
	poi: ["kV", "substation"],
	poi_id: ["CAISO-sce-windhub-230kv", "NONE-1,CAISO-pgae-gates-500kv"],
	utility: ["AEP", "PG&E,SCE"],
	capacity_min: ["100", "0.5"],
	capacity_max: ["200", "1e2"],
	date_from: ["2022-01-01", "2018-06-30"],
	date_to: ["2023-12-31", "2021-01-01"],
	cod_from: ["2027-01-01", "2100-01-01"],
	cod_to: ["2028-12-31", "2000-01-01"],
	ia_from: ["2020-01-01", "2100-01-01"],
	ia_to: ["2030-01-01", "2000-01-01"],
	withdrawn_from: ["2020-01-01", "2100-01-01"],
	withdrawn_to: ["2030-01-01", "2000-01-01"],
	updated_since: ["2020-01-01", "2100-01-01"],
	lat: ["31"],
	lon: ["-99"],
	radius_km: ["400"],
	bbox: ["-125,32,-114,42", "-80,39,-70,46"],
	polygon: ["-125,32,-114,32,-120,42", "-80,39,-70,39,-70,46"],
	energy_community: ["true", "false"],
	low_income: ["true", "0"],
	has_tax_credit: ["true", "false"],
	construction_stage: ["early", "mid", "withdrawn"],
	study_phase: ["GIA", "feasibility", "Facilities"],
	ia_status: ["Withdrawn", "IA Executed"],
	min_confidence: ["0.5", "0.9"],
	developer_tier: ["unknown", "major_ipp"],
	investable: ["true", "false"],
	needs_capital: ["true", "false"],
	min_score: ["40", "60"],
	population: ["all", "transmission"],
};
const names = Object.keys(values) as (keyof typeof values)[];

/** One to three filters that do not contradict each other. */
function mix(seed: number): Record<string, string> {
	const next = random(seed);
	const below = (limit: number) => Math.floor(next() * limit);
	const filters: Record<string, string> = {};
	for (let left = 1 + below(3); left > 0; left--) {
		const name = names[below(names.length)] ?? "state";
		filters[name] = values[name][below(values[name].length)] ?? "";
	}
	return operations.exportProjects.params.safeParse(filters).success ? filters : {};
}

const ids = (rows: JsonRow[]) => rows.map(({ id }) => id);

describe("the rows of an export equal those of all pages of the list", () => {
	test.each(names.filter((name) => name !== "lon" && name !== "radius_km"))(
		"filtered by %s, which leaves out some of them",
		async (name) => {
			const found = new Set<number>();
			for (const value of values[name]) {
				const by = {
					...(name === "listed" ? { population: "all" } : whole),
					...(name === "lat" && circle),
					...(name === "near" && { radius_km: "300" }),
					[name]: value,
				};
				const rows = await listed(by);
				expect(ids(readCsv(await exported(by)).rows)).toEqual(ids(rows));
				found.add(rows.length);
				// Further values of the same filter are tried where the first ones find all or nothing.
				if (rows.length > 0 && rows.length < all.length) return;
			}
			expect([...found].some((count) => count > 0)).toBe(true);
			expect([...found].some((count) => count < all.length)).toBe(true);
		},
	);

	test.each(Array.from({ length: 6 }, (_, at) => [at, mix(at)] as const))(
		"filtered at random, %i: %j",
		async (_, by) => {
			expect(ids(readCsv(await exported(by)).rows)).toEqual(ids(await listed(by)));
		},
	);

	test("also by the older name of fuel_type, alone or beside it", async () => {
		expect(ids(readCsv(await exported({ type: "wind", state: "TX" })).rows)).toEqual(
			ids(await listed({ fuel_type: "wind", state: "TX" })),
		);
		expect(ids(readCsv(await exported({ type: "WIND", fuel_type: "wind" })).rows)).toEqual(
			ids(await listed({ fuel_type: "wind" })),
		);
	});

	test.each(["/export/projects", "/export/projects/manifest"])("%s refuses two fuel types", async (path) => {
		const answer = await get(`${path}?type=Solar&fuel_type=Wind`);
		expect([answer.status, await answer.json()]).toMatchObject([
			422,
			{ errors: [{ loc: expect.arrayContaining(["type"]), msg: "contradicts fuel_type (Solar, Wind)" }] },
		]);
	});
});

const formats = Object.entries(geoExportMediaTypes) as [keyof typeof geoExportMediaTypes, string][];

test.each(formats)("every field of every row equals the list's, as %s", async (format) => {
	expect(all.length).toBeGreaterThan(100);
	expect(all.some(({ lat }) => lat === null) && all.some(({ lat }) => lat !== null)).toBe(true);
	expect(await readRows(await exported({ ...whole, format }), format)).toEqual(all);
});

describe.each(formats)("as %s", (format, mediaType) => {
	const fileName = `projects.${format}`;

	test("the file has its own URL, with the same filters, ranges and ETag", async () => {
		const filters = "state=TX&fields=id,name,capacity_mw";
		const file = await get(`/export/projects?${filters}&format=${format}`, identity);
		const bytes = Buffer.from(await file.arrayBuffer());
		const etag = file.headers.get("etag");
		const address = `/export/${fileName}?${filters}`;
		for (const accept of ["*/*", "text/csv", parquet]) {
			const same = await get(address, { ...identity, accept });
			expect([same.headers.get("content-type"), same.headers.get("etag")]).toEqual([mediaType, etag]);
			expect(bytes.equals(Buffer.from(await same.arrayBuffer()))).toBe(true);
		}
		const head = await get(address, identity, "HEAD");
		expect([head.status, head.headers.get("etag"), head.headers.get("content-length")]).toEqual([
			200,
			etag,
			String(bytes.length),
		]);
		const part = await get(address, { ...identity, range: "bytes=-8" });
		expect([part.status, part.headers.get("content-disposition")]).toEqual([206, `attachment; filename="${fileName}"`]);
		expect(bytes.subarray(-8).equals(Buffer.from(await part.arrayBuffer()))).toBe(true);
	});

	test("the response states its content and versions", async () => {
		const answer = await get(`/export/projects?state=TX&format=${format}`);
		expect(Object.fromEntries(answer.headers)).toMatchObject({
			"content-type": mediaType,
			"content-disposition": `attachment; filename="${fileName}"`,
			"x-schema-version": projectSchemaVersion,
			"x-data-version": expect.stringMatching(/^\d+$/),
			vary: expect.stringContaining("Accept"),
			etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
		});
		expect(answer.headers.get("access-control-expose-headers")).toContain("X-Schema-Version");
		await answer.arrayBuffer();
		const head = await get(`/export/projects?state=TX&format=${format}`, {}, "HEAD");
		expect([head.status, await head.text()]).toEqual([200, ""]);
		for (const name of ["content-type", "content-disposition", "content-length", "etag", "accept-ranges"])
			expect([name, head.headers.get(name)]).toEqual([name, answer.headers.get(name)]);
	});

	test("its hash, length and rows match the manifest", async () => {
		const filters = { format, region: "ERCOT", capacity_min: "10" };
		const bytes = await exported(filters);
		const answer = await get(`/export/projects/manifest?${query(filters)}`);
		expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
		const manifest = operations.getExportManifest.reply.parse(await answer.json());
		expect(manifest).toMatchObject({
			...{ format, media_type: mediaType, bytes: bytes.length, schema_version: projectSchemaVersion },
			rows: (await listed({ region: "ERCOT", capacity_min: "10" })).length,
			sha256: createHash("sha256").update(bytes).digest("hex"),
			filters: { region: "ERCOT", capacity_min: 10, population: "transmission" },
			columns: fileColumns(projectColumns(), format),
		});
		expect(manifest.rows).toBeGreaterThan(0);
		expect(answer.headers.get("x-data-version")).toBe(String(manifest.data_version));
		expect((await get(`/export/projects?${query(filters)}`, identity)).headers.get("etag")).toBe(
			`"${manifest.sha256}"`,
		);
	});
});

test.each([
	[undefined, parquet, "parquet"],
	[undefined, `text/csv;q=0.5, ${parquet}`, "parquet"],
	[undefined, `text/csv, ${parquet};q=0.5`, "csv"],
	[undefined, `${parquet};q=0, */*`, "csv"],
	[undefined, "*/*", "csv"],
	[undefined, "application/json", "csv"],
	["csv", parquet, "csv"],
	["PARQUET", "text/csv", "parquet"],
])("the parameter format %s and Accept: %s choose %3$s", async (format, accept, expected) => {
	const path = `/export/projects?limit=1${format === undefined ? "" : `&format=${format}`}`;
	const answer = await get(path, { accept });
	expect(answer.headers.get("content-type")).toMatch(expected === "csv" ? /^text\/csv/ : parquet);
	expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(0);
});

test.each([
	["format=xls", "format"],
	["format=json", "format"],
	["compression=snappy", "compression"],
	["compression=snappy&format=csv", "compression"],
	["compression=lz4&format=parquet", "compression"],
	["safe=1&format=ndjson", "safe"],
	["limit=0", "limit"],
	["limit=1000001", "limit"],
	["iso=PJM&region=MISO", "iso"],
	["capacity_min=5&capacity_max=4", "capacity_min"],
	["page=2", "page"],
	["sort=name", "sort"],
])("%s is refused, by the export and by its manifest", async (text, parameter) => {
	for (const path of ["/export/projects", "/export/projects/manifest"]) {
		const answer = await get(`${path}?${text}`);
		expect(answer.status).toBe(422);
		expect(await answer.json()).toMatchObject({ errors: [{ loc: ["query", parameter] }] });
	}
});

test("columns are in the order of fields, id first unless it is named", async () => {
	const order = { fields: "capacity_mw,state,name,capacity_mw", limit: "3" };
	for (const format of ["csv", "parquet", "ndjson", "geojson"] as const) {
		const manifest = await (await get(`/export/projects/manifest?${query({ ...order, format })}`)).json();
		const { columns } = operations.getExportManifest.reply.parse(manifest);
		expect(columns.map(({ name }) => name).slice(0, 4)).toEqual(["id", "capacity_mw", "state", "name"]);
		const rows = await readRows(await exported({ ...order, format }), format);
		const first = (await listed({})).slice(0, 3);
		expect(rows).toMatchObject(first.map(({ id, capacity_mw, state, name }) => ({ id, capacity_mw, state, name })));
	}
	const head = async (by: object) => (await exported({ ...order, ...by })).toString().split("\n", 1)[0];
	expect(await head({})).toBe("id,capacity_mw,state,name");
	expect(await head({ fields: "cod,id,name" })).toBe("cod,id,name");
	expect(await head({ fields: "score_basis,name,id", as_of: world.clock.now.toISOString().slice(0, 10) })).toBe(
		"score_basis,name,id",
	);
});

test("safe CSV has an apostrophe before each text that a spreadsheet would read as a formula, and unchanged numbers", async () => {
	const texts = ["=1+1", "+1", "-1", "@a", "\ta", "\ra", "\na", "＝1", "＋1", "－1", "＠a", "a=1"];
	const some = all.filter(({ lon }) => lon !== null).slice(0, texts.length);
	const names = new Map(some.map(({ id }, at) => [String(id), texts[at] ?? ""]));
	const filed = await world.sql`select id, name from projects where id = any(${[...names.keys()]})`;
	const rename = async (to: Iterable<readonly [string, string | null]>) => {
		for (const [id, name] of to) await world.sql`update projects set name = ${name} where id = ${id}`;
	};
	const filters = { ...whole, id: [...names.keys()].join(","), fields: "name,lon" };
	await rename(names);
	try {
		for (const [more, mark] of [
			[{ safe: "1" }, "'"],
			[{}, ""],
		] as const) {
			const { rows } = readCsv(await exported({ ...filters, ...more }));
			expect(rows.length).toBe(texts.length);
			for (const { id, name, lon } of rows) {
				const text = names.get(String(id)) ?? "";
				expect(name).toBe(text === "a=1" ? text : `${mark}${text}`);
				expect(lon).toBe(some.find((row) => row.id === id)?.lon);
			}
		}
	} finally {
		await rename(filed.map(({ id, name }) => [id, name] as const));
	}
});

test("Parquet is compressed by zstd, or by snappy on request", async () => {
	const file = (compression: string) => get(`/export/projects.parquet?${query(whole)}${compression}`);
	const codecs: unknown[] = [];
	for (const compression of ["", "&compression=zstd", "&compression=snappy"]) {
		const bytes = Buffer.from(await (await file(compression)).arrayBuffer());
		const { rows, metadata } = await readParquet(bytes);
		expect(rows).toEqual(await listed(whole));
		codecs.push(...new Set(metadata.row_groups.flatMap(({ columns }) => columns.map((one) => one.meta_data?.codec))));
	}
	expect(codecs).toEqual(["ZSTD", "ZSTD", "SNAPPY"]);
});

test("Parquet has the point of each row with GeoParquet metadata if lat and lon are chosen", async () => {
	const { rows, metadata } = await readParquet(await exported({ ...whole, format: "parquet" }));
	const range = (name: string) => {
		const degrees = rows.flatMap((row) => (row[name] === null ? [] : [Number(row[name])]));
		return [Math.min(...degrees), Math.max(...degrees)];
	};
	const [[west, east], [south, north]] = [range("lon"), range("lat")];
	expect(JSON.parse(keyValues(metadata).geo ?? "")).toEqual({
		version: "1.1.0",
		primary_column: "geometry",
		columns: { geometry: { encoding: "WKB", geometry_types: ["Point"], bbox: [west, south, east, north] } },
	});
	for (const [fields, columns] of [
		["lat,lon", ["id", "lat", "lon", "geometry"]],
		["lat", ["id", "lat"]],
	] as const) {
		const chosen = { fields, format: "parquet" };
		const { metadata } = await readParquet(await exported(chosen));
		expect(metadata.schema.slice(1).map(({ name }) => name)).toEqual(columns);
		expect(keyValues(metadata).geo !== undefined).toBe(fields === "lat,lon");
		const manifest = operations.getExportManifest.reply.parse(
			await (await get(`/export/projects/manifest?${query(chosen)}`)).json(),
		);
		expect(manifest.columns.map(({ name }) => name)).toEqual(columns);
	}
});

test("a short URL returns the same file", async () => {
	for (const name of ["projects", "changes", "developers", "scores", "plants", "prices"]) {
		const [short, long] = await Promise.all([get(`/${name}.csv?limit=3`), get(`/export/${name}.csv?limit=3`)]);
		expect([name, short.status, await short.text()]).toEqual([name, 200, await long.text()]);
		expect(short.headers.get("etag")).toBe(long.headers.get("etag"));
		expect(short.headers.get("content-disposition")).toBe(`attachment; filename="${name}.csv"`);
	}
});

test("a URL with another extension names the valid ones, and counts no query", async () => {
	const answer = await get("/export/projects.xls?state=TX");
	expect([answer.status, await answer.json()]).toMatchObject([
		404,
		{
			detail: expect.stringContaining(
				"/export/projects is available as .csv, .parquet, .csv.gz, .ndjson, .xlsx, .arrow, .geojson",
			),
		},
	]);
	expect((await get("/export/changes.geojson")).status).toBe(404);
	for (const [path, method, status] of [
		["/export/projects.csv?format=parquet", "GET", 422],
		["/export/projects.csv", "POST", 405],
		["/projects.txt", "GET", 404],
		["/projects.csv", "POST", 405],
	] as const)
		expect([path, (await get(path, {}, method)).status]).toEqual([path, status]);
});

test("a workbook has typed cells, no formula, and a sheet that describes it", async () => {
	const bytes = await exported({ state: "TX", fields: "id,name,capacity_mw,cod,first_seen_at", format: "xlsx" });
	const { rows, notes } = await readWorkbook(bytes);
	expect(rows).toEqual(
		(await listed({ state: "TX", fields: "id,name,capacity_mw,cod,first_seen_at" })).map(
			({ id, name, capacity_mw, cod, first_seen_at }) => ({ id, name, capacity_mw, cod, first_seen_at }),
		),
	);
	const facts = Object.fromEntries(notes.map(([name, text]) => [name, text]));
	expect(facts).toMatchObject({
		"Filter state": "TX",
		"Newest list of ERCOT": expect.stringMatching(/^2026-/),
		"Data loaded at": expect.stringMatching(/^\d{4}-/),
		License: expect.anything(),
	});
	expect(notes.find(([name]) => name === "capacity_mw")).toEqual(["capacity_mw", "double", "MW", expect.anything()]);
	const again = await get("/projects.xlsx?state=TX&fields=id,name,capacity_mw,cod,first_seen_at");
	expect(Buffer.from(await again.arrayBuffer()).equals(bytes)).toBe(true);
});

test("a row of a workbook keeps hostile texts, and days that Excel cannot represent, as text", async () => {
	const columns = Object.entries({ a: "string", b: "list", c: "date", d: "boolean", e: "timestamp" } as const).map(
		([name, type]) => ({ name, type, nullable: true, unit: null, description: null }),
	);
	const [row] = await world.sql.unsafe(`select ${sheetRow(columns)} as xml from (select 2 as row,
		E'=1&<b>\\x01\\uFFFF\\r\\n"' as a, array['-x', 'y'] as b, date '0201-03-04' as c, true as d,
		timestamptz '2026-06-30 12:00Z' as e) r`);
	expect(row?.xml).toBe(
		`<row r="2"><c r="A2" t="inlineStr" s="3"><is><t xml:space="preserve">=1&amp;&lt;b&gt;&#10;"</t></is></c><c r="B2" t="inlineStr" s="3"><is><t xml:space="preserve">-x; y</t></is></c><c r="C2" t="inlineStr"><is><t xml:space="preserve">0201-03-04</t></is></c><c r="D2" t="b"><v>1</v></c><c r="E2" s="2"><v>46203.5</v></c></row>`,
	);
});

test("a feature has its location and precision, whatever fields are chosen", async () => {
	const bytes = await exported({ state: "TX", fields: "name", format: "geojson" });
	const [first = {}] = await readRows(bytes, "geojson");
	expect(Object.keys(first)).toEqual(["id", "name", "lat", "lon", "location_precision"]);
});
