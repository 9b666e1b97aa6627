/** Tiles and groups of requests, against what /projects answers: the same requests, each once, whatever is asked for. */
import { VectorTile } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Reply } from "#libs/contract/index.ts";
import { groupings } from "#libs/contract/operations/projects/tiles.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { median } from "../../web/lib/requests/sums.ts";
import { eventually } from "../support/eventually.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
	world = await startWorld({ gateway: { PAGES_PER_MINUTE: "100000" } });
	await world.settled();
});
afterAll(() => world?.[Symbol.asyncDispose]());

type Project = Reply<"listProjects">["data"][number];

async function read<T>(path: string): Promise<T> {
	const response = await fetch(world.url + path);
	expect([path, response.status]).toEqual([path, 200]);
	return (await response.json()) as T;
}

async function projects(query: string): Promise<Project[]> {
	const { data, meta } = await read<Reply<"listProjects">>(`/projects?per_page=500&${query}`);
	expect(data).toHaveLength(meta.total);
	return data;
}

async function tile(address: string, query = ""): Promise<VectorTile> {
	const response = await fetch(`${world.url}/tiles/${address}.mvt?${query}`);
	expect([address, response.status]).toEqual([address, 200]);
	return new VectorTile(new PbfReader(new Uint8Array(await response.arrayBuffer())));
}

function propertiesOf({ layers }: VectorTile, name: string): Record<string, unknown>[] {
	const layer = layers[name];
	return Array.from({ length: layer?.length ?? 0 }, (_, at) => layer?.feature(at).properties ?? {});
}

const sum = (rows: { capacity_mw: number | null }[]): number =>
	rows.reduce((total, { capacity_mw }) => total + (capacity_mw ?? 0), 0);

/** Every kind of filter: each chooses the same for a tile as for the list. */
const filters = [
	"",
	"region=PJM,MISO",
	"status=Active&capacity_min=50",
	"include_unlisted=true",
	"q=solar",
	"state=ZZ",
	"bbox=-105,25,-90,37",
	"lat=31&lon=-99&radius_km=300",
	"id=MISO-J9123",
	"population=all",
];

test.each(filters)("the clusters of the whole world contain every located request (%s)", async (query) => {
	const placed = (await projects(query)).filter(({ lat }) => lat !== null);
	const clusters = propertiesOf(await tile("0/0/0", query), "clusters");
	expect(clusters.reduce((total, { count }) => total + Number(count), 0)).toBe(placed.length);
	const capacity = clusters.reduce((total, { capacity_mw }) => total + Number(capacity_mw), 0);
	expect(Math.abs(capacity - sum(placed))).toBeLessThan(0.1 * (clusters.length + 1));
});

test("at high zoom the tiles contain the requests of the list with the same values, except those located only by state", async () => {
	const all = new Map((await projects("")).map((project) => [project.id, project]));
	const shown = new Map<string, Record<string, unknown>>();
	const z = 5;
	for (let x = 4; x < 11; x++)
		for (let y = 10; y < 15; y++)
			for (const request of propertiesOf(await tile(`${z}/${x}/${y}`), "requests"))
				shown.set(String(request.id), request);
	const expected = [...all.values()].filter(({ location_precision: known }) => known === "county" || known === "poi");
	expect(expected.length).toBeGreaterThan(10);
	expect([...shown.keys()].sort()).toEqual(expected.map(({ id }) => id).sort());
	for (const [id, request] of shown) {
		const { type_std, status_std, capacity_mw, investability_score } = all.get(id) ?? {};
		expect([request.technology, request.status]).toEqual([type_std, status_std]);
		expect([request.capacity_mw ?? null, request.score ?? null]).toEqual([capacity_mw, investability_score]);
	}
});

test.each(groupings)("groups by %s sum to the list, for each set of filters", async (by) => {
	for (const query of filters) {
		const all = await projects(query);
		const { data, meta } = await read<Reply<"groupProjects">>(`/projects/groups?by=${by}&per_page=500&${query}`);
		expect([meta.requests, data.reduce((total, { requests }) => total + requests, 0)]).toEqual([
			all.length,
			all.length,
		]);
		expect(meta.capacity_mw).toBeCloseTo(sum(all), 2);
		const columns: Record<string, keyof Project> = {
			status: "status_std",
			technology: "type_std",
			queue_year: "queue_date",
			cod_year: "cod",
		};
		const column = columns[by] ?? (by as keyof Project);
		const groupOf = (filed: unknown) =>
			by.endsWith("_year") && filed !== null ? String(filed).slice(0, 4) : String(filed);
		const values = Object.groupBy(all, (project) => groupOf(project[column]));
		for (const { value, requests, ...medians } of data.filter(() => by !== "county" && by !== "poi")) {
			const own = values[String(value)] ?? [];
			expect([value, requests]).toEqual([value, own.length]);
			expect(medians.median_capacity_mw ?? 0).toBeCloseTo(median(own.map(({ capacity_mw }) => capacity_mw)) ?? 0, 2);
			expect(medians.median_p_cod_36 ?? 0).toBeCloseTo(median(own.map(({ p_cod_36 }) => p_cod_36)) ?? 0, 2);
		}
	}
});

test("a county has its centre, and a point of interconnection a location only if coordinates are filed", async () => {
	const counties = await read<Reply<"groupProjects">>("/projects/groups?by=county&per_page=500");
	for (const { fips, location_precision, lat } of counties.data.filter(({ fips }) => fips !== null))
		expect([fips, location_precision, typeof lat]).toEqual([fips, "county", "number"]);
	const [{ id = "" } = {}] = await projects("listed=listed");
	const points = async () => (await read<Reply<"groupProjects">>("/projects/groups?by=poi&per_page=500")).data;
	expect((await points()).filter(({ lat }) => lat !== null)).toEqual([]);
	await world.sql.begin(async (tx) => {
		await tx`update projects set lat = 40.125, lon = -90.5, location_precision = 'poi', poi = 'Filed Substation',
			version = version + 1 where id = ${id}`;
		await raiseDataVersion(tx);
	});
	await eventually(async () => (await points()).some(({ lat }) => lat !== null));
	expect((await points()).filter(({ lat }) => lat !== null)).toMatchObject([
		{ value: "Filed Substation", lat: 40.125, lon: -90.5, location_precision: "poi", requests: 1 },
	]);
	// The tiles are those of the new data, too.
	await eventually(async () => {
		const places = propertiesOf(await tile("8/63/96"), "places");
		expect(places.filter(({ precision }) => precision === "poi")).toMatchObject([{ count: 1, radius: 0 }]);
		return true;
	});
});

test("a tile of a past day shows the requests of that day", async () => {
	const today = world.clock.now.toISOString().slice(0, 10);
	const placed = (await projects(`as_of=${today}`)).filter(({ lat }) => lat !== null);
	const clusters = propertiesOf(await tile("0/0/0", `as_of=${today}`), "clusters");
	expect(clusters.reduce((total, { count }) => total + Number(count), 0)).toBe(placed.length);
	const longAgo = await fetch(`${world.url}/tiles/0/0/0.mvt?as_of=2001-01-01`);
	expect([longAgo.status, (await longAgo.arrayBuffer()).byteLength]).toEqual([200, 0]);
});

test("a tile has a media type and a version, and is revalidated by clients that have it", async () => {
	const first = await fetch(`${world.url}/tiles/3/1/2.mvt`);
	expect(first.headers.get("content-type")).toBe("application/vnd.mapbox-vector-tile");
	expect(Number(first.headers.get("x-data-version"))).toBeGreaterThan(0);
	const etag = first.headers.get("etag") ?? "";
	const again = await fetch(`${world.url}/tiles/3/1/2.mvt`, { headers: { "if-none-match": etag } });
	expect(again.status).toBe(304);
});

test.each([
	["/tiles/13/0/0.mvt", "path", "z"],
	["/tiles/2/4/0.mvt", "path", "x"],
	["/tiles/2/0/4.mvt", "path", "y"],
	["/tiles/2/0/north.mvt", "path", "y"],
	["/tiles/2/0/0.mvt?region=NOWHERE", "query", "region"],
	["/tiles/2/0/0.mvt?as_of=2199-01-01", "query", "as_of"],
	["/projects/groups?by=colour", "query", "by"],
])("%s is a 422 that names %s.%s", async (path, ...loc) => {
	const response = await fetch(world.url + path);
	const { errors } = (await response.json()) as { errors: { loc: string[] }[] };
	expect([response.status, errors.map((error) => error.loc)]).toEqual([422, [loc]]);
});

test("pages read tiles for free, under their own limit", async () => {
	const response = await fetch(`${world.url}/web/data/tiles/0/0/0.mvt`);
	expect(response.status).toBe(200);
	expect(response.headers.get("cache-control")).toContain("public");
});
