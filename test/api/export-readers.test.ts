/** The addresses of exports, read by programs of others that are given nothing else. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { getIssues } from "@placemarkio/check-geojson";
import { asyncBufferFromUrl, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { afterAll, expect } from "vitest";
import { compressors, type JsonRow, readParquet } from "../support/export-files.ts";
import { test, type World } from "../support/world.ts";
import { unlimitedKey } from "./support/walk.ts";

let world: World;
let key: string;
let folder: string;
let rows: JsonRow[];
test.beforeAll(async ({ readOnlyWorld }) => {
	world = readOnlyWorld;
	key = await unlimitedKey(world);
	folder = await mkdtemp(join(tmpdir(), "export-readers-"));
	rows = (await readParquet(await bytesOf("/export/projects.parquet"))).rows;
});
afterAll(async () => {
	if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

async function bytesOf(path: string): Promise<Buffer> {
	const answer = await fetch(world.url + path, { headers: { "x-api-key": key } });
	expect([path, answer.status]).toEqual([path, 200]);
	return Buffer.from(await answer.arrayBuffer());
}

const run = promisify(execFile);
const python = (...args: string[]) => run(process.env.PYTHON ?? "/usr/bin/python3", args, { timeout: 60_000 });
const hasModules = (modules: string) =>
	python("-c", `import ${modules}`).then(
		() => true,
		() => false,
	);

const megawatts = () => rows.reduce((sum, { capacity_mw }) => sum + Number(capacity_mw ?? 0), 0);

test.each(["zstd", "snappy"])(
	"hyparquet reads columns of a Parquet file, %s, by HEAD and ranges only",
	async (name) => {
		const url = `${world.url}/export/projects.parquet?compression=${name}`;
		const requests: [method: string, status: number, bytes: number][] = [];
		const counting = async (address: string | URL | Request, init?: RequestInit) => {
			const answer = await fetch(address, init);
			requests.push([init?.method ?? "GET", answer.status, Number(answer.headers.get("content-length"))]);
			return answer;
		};
		const requestInit = { headers: { "x-api-key": key } };
		const file = await asyncBufferFromUrl({ url, requestInit, fetch: counting as typeof fetch });
		const metadata = await parquetMetadataAsync(file, { initialFetchSize: 1_024 });
		const columns = ["id", "capacity_mw"];
		const read = await parquetReadObjects({ file, metadata, columns, compressors });
		expect(read).toEqual(rows.map(({ id, capacity_mw }) => ({ id, capacity_mw })));
		const [[method, status, whole] = ["", 0, 0], ...parts] = requests;
		expect([method, status]).toEqual(["HEAD", 200]);
		expect(new Set(parts.map(([, status]) => status))).toEqual(new Set([206]));
		expect(parts.reduce((sum, [, , bytes]) => sum + bytes, 0)).toBeLessThan(whole);
	},
);

test.each([
	["projects.csv", "read_csv"],
	["projects.csv.gz", "read_csv"],
	["projects.ndjson", "read_ndjson"],
	["projects.parquet", "read_parquet"],
	["projects.parquet?compression=snappy", "read_parquet"],
])("DuckDB reads %s", async (address, reader) => {
	const path = join(folder, address.split("?", 1)[0] ?? "");
	await writeFile(path, await bytesOf(`/export/${address}`));
	const connection = await (await DuckDBInstance.create()).connect();
	const statement = `select count(*), sum(capacity_mw) from ${reader}('${path}')`;
	const [[count, mw] = []] = (await connection.runAndReadAll(statement)).getRows();
	connection.closeSync();
	expect(Number(count)).toBe(rows.length);
	expect(Number(mw)).toBeCloseTo(megawatts(), 3);
});

test("DuckDB reads the points of a Parquet file, without an extension", async () => {
	const path = join(folder, "points.parquet");
	await writeFile(path, await bytesOf("/export/projects.parquet"));
	const connection = await (await DuckDBInstance.create()).connect();
	const statement = `select id, typeof(geometry) as type, hex(st_aswkb(geometry)) as point from '${path}' where geometry is not null`;
	const read = (await connection.runAndReadAll(statement)).getRows();
	connection.closeSync();
	const placed = rows.filter(({ lat, lon }) => lat !== null && lon !== null);
	expect(placed.length).toBeGreaterThan(0);
	expect(read).toEqual(
		placed.map(({ id, lat, lon }) => {
			const degrees = Buffer.from(new Float64Array([Number(lon), Number(lat)]).buffer)
				.toString("hex")
				.toUpperCase();
			return [id, "GEOMETRY('OGC:CRS84')", `0101000000${degrees}`];
		}),
	);
});

test("DuckDB reads a Parquet file from its URL", async ({ skip }) => {
	const connection = await (await DuckDBInstance.create()).connect();
	try {
		const loaded = await connection.run("load httpfs").catch(() => undefined);
		if (loaded === undefined) {
			console.warn("SKIPPED: DuckDB's httpfs is not on this machine; hyparquet asks for the same ranges");
			return skip();
		}
		await connection.run(`create secret (type http, extra_http_headers map { 'X-API-Key': '${key}' })`);
		const statement = `select count(*) from read_parquet('${world.url}/export/projects.parquet')`;
		const [[count] = []] = (await connection.runAndReadAll(statement)).getRows();
		expect(Number(count)).toBe(rows.length);
	} finally {
		connection.closeSync();
	}
});

test.each(["projects", "plants"])("a validator of GeoJSON finds nothing wrong with %s", async (name) => {
	expect(getIssues((await bytesOf(`/export/${name}.geojson`)).toString())).toEqual([]);
});

test("GeoPandas opens GeoJSON, and GeoParquet where it has pyarrow, as points in degrees", async ({ skip }) => {
	if (!(await hasModules("geopandas"))) {
		console.warn("SKIPPED: there is no Python with GeoPandas on this machine (python3-geopandas)");
		return skip();
	}
	const hasParquet = await hasModules("pyarrow");
	const paths = await Promise.all(
		["projects.geojson", "projects.parquet"].map(async (name) => {
			const path = join(folder, `geo-${name}`);
			await writeFile(path, await bytesOf(`/export/${name}`));
			return path;
		}),
	);
	const program = `
import sys, geopandas
json, parquet, has_parquet = sys.argv[1:]
tables = [geopandas.read_file(json)] + ([geopandas.read_parquet(parquet)] if has_parquet == "True" else [])
for table in tables:
    points = table[table.geometry.notna()]
    print(len(table), len(points), table.crs.is_geographic, round(points.geometry.x.sum(), 3), round(points.geometry.y.sum(), 3))
`;
	const { stdout } = await python("-c", program, ...paths, hasParquet ? "True" : "False");
	const placed = rows.filter(({ lat, lon }) => lat !== null && lon !== null);
	const sum = (name: string) => placed.reduce((total, row) => total + Number(row[name]), 0);
	const read = stdout
		.trim()
		.split("\n")
		.map((line) => line.split(" "));
	expect(read).toHaveLength(hasParquet ? 2 : 1);
	for (const [all, points, isGeographic, lon, lat] of read) {
		expect([Number(all), Number(points), isGeographic]).toEqual([rows.length, placed.length, "True"]);
		expect(Number(lon)).toBeCloseTo(sum("lon"), 2);
		expect(Number(lat)).toBeCloseTo(sum("lat"), 2);
	}
});

test("pandas reads the URLs of CSV, compressed or not, of JSON lines and of Parquet", async ({ skip }) => {
	if (!(await hasModules("pandas"))) {
		console.warn("SKIPPED: there is no Python with pandas on this machine");
		return skip();
	}
	const program = `
import sys, urllib.request, pandas
base, key, parquet = sys.argv[1:]
options = {"storage_options": {"X-API-Key": key}}
def arrow():
    import pyarrow.ipc
    request = urllib.request.Request(base + ".arrow", headers={"X-API-Key": key})
    return pyarrow.ipc.open_stream(urllib.request.urlopen(request)).read_pandas()
tables = [
    pandas.read_csv(base + ".csv", **options),
    pandas.read_csv(base + ".csv.gz", **options),
    pandas.read_json(base + ".ndjson", lines=True, **options),
] + ([pandas.read_parquet(base + ".parquet", **options), arrow()] if parquet == "True" else [])
print([(len(table), round(float(table.capacity_mw.sum()), 3)) for table in tables])
`;
	const hasParquet = await hasModules("pyarrow");
	const base = `${world.url}/export/projects`;
	const { stdout, stderr } = await python("-c", program, base, key, hasParquet ? "True" : "False");
	expect(stderr).toBe("");
	const each = `(${rows.length}, ${Math.round(megawatts() * 1_000) / 1_000})`;
	expect(stdout.trim()).toBe(
		`[${Array(hasParquet ? 5 : 3)
			.fill(each)
			.join(", ")}]`,
	);
});
