/**
 * A program as a user of the service writes it with a client that a generator made: @hey-api/openapi-ts, of the document as served.
 *
 *   node client.js URL KEY PROJECT     prints what it got, as JSON
 */
// Made for each run beside a copy of this file (test/api/support/generated-client.ts).
import { client } from "./client/client.gen.js";
import {
	getProject,
	getUsage,
	type ListProjectsResponse2,
	type ListProjectsResponseData,
	listProjects,
	type QuoteResponse2,
	quote,
	summariseChanges,
} from "./client/index.js";

const [baseUrl = "", key = "", projectId = ""] = process.argv.slice(2);
client.setConfig({ baseUrl, auth: key });

/** The whole list, by its cursor. */
async function walk() {
	const ids = new Set<string>();
	let pages = 0;
	for (let cursor: string | undefined = "*"; cursor !== undefined; pages++) {
		const page: ListProjectsResponse2 = await pageAfter(cursor);
		const rows: ListProjectsResponseData[] = page.data;
		for (const { id } of rows) ids.add(id);
		cursor = page.meta.next_cursor ?? undefined;
	}
	return { pages, ids: ids.size };
}

async function pageAfter(cursor: string) {
	const { data } = await listProjects({ query: { cursor, per_page: 10 }, throwOnError: true });
	return data;
}

async function count() {
	const { data } = await listProjects({ query: { per_page: 1 }, throwOnError: true });
	return data.meta.total;
}

async function filtered() {
	const { data } = await listProjects({ query: { region: ["PJM", "MISO"], capacity_min: 1, per_page: 200 } });
	const regions = new Set(data?.data.map(({ region }) => region));
	return [...regions].sort();
}

async function project() {
	const { data, response } = await getProject({ path: { project_id: projectId } });
	const capacity: number | null | undefined = data?.capacity_mw;
	return { status: response?.status, id: data?.id, hasCapacity: capacity !== undefined };
}

async function price() {
	const { data } = await quote({ body: { operation: "listItcDeals", params: {} }, throwOnError: true });
	const quoted: QuoteResponse2 = data;
	return quoted.price_usd;
}

async function refusal() {
	const { error, response } = await listProjects({ query: { per_page: 501 } });
	return { status: response?.status, code: error !== undefined && "code" in error ? error.code : undefined };
}

/** Never called: what the types must refuse. Where they do not, the directive itself is an error of the compiler. */
export async function mistakes() {
	// @ts-expect-error project_id is required
	await getProject({ path: {} });
	// @ts-expect-error no operator of that name
	await listProjects({ query: { region: ["AESO"] } });
	const { data } = await summariseChanges();
	// @ts-expect-error there is no such field
	return data?.by_weekday;
}

const usage = await getUsage();
const got = {
	total: await count(),
	walked: await walk(),
	filtered: await filtered(),
	project: await project(),
	price: await price(),
	refusal: await refusal(),
	plan: usage.data?.plan,
};
process.stdout.write(JSON.stringify(got));
