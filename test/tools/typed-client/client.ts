/**
 * A program as a user of the service writes it: openapi-fetch with the types that openapi-typescript writes from the document as served.
 *
 *   node client.ts URL KEY PROJECT     prints what it got, as JSON
 */
import createClient from "openapi-fetch";
// Written for each run (test/api/support/typed-client.ts says where); types are gone when the program runs.
import type { components, paths } from "schema";

const [baseUrl = "", key = "", projectId = ""] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { "X-API-Key": key } });

async function list() {
	const query = {
		region: ["PJM"] as ["PJM"],
		capacity_min: 1,
		sort: "capacity_mw",
		order: "desc",
		per_page: 2,
	} as const;
	const { data, response } = await client.GET("/projects", { params: { query } });
	const rows = data?.data ?? [];
	const capacities: (number | null)[] = rows.map(({ capacity_mw }) => capacity_mw);
	const regions = [...new Set(rows.map(({ region }) => region))];
	const perPage: number | undefined = data?.meta.per_page;
	return {
		status: response.status,
		rows: rows.length,
		perPage,
		regions,
		hasCapacity: capacities.every((mw) => mw !== null && mw >= 1),
	};
}

async function project() {
	const { data, response } = await client.GET("/projects/{project_id}", {
		params: { path: { project_id: projectId } },
	});
	const id: string | undefined = data?.id;
	return { status: response.status, id };
}

async function query() {
	const body = { sql: "select 1 as one", database: "master" } as const;
	const { data, response } = await client.POST("/query", { body });
	// It can be asked for as CSV too, which would be text.
	if (typeof data !== "object") return { status: response.status };
	const truncated: boolean = data.meta.truncated;
	return { status: response.status, rows: data.data, truncated };
}

async function csv() {
	const { data, response } = await client.GET("/export/projects", { params: { query: { limit: 2 } }, parseAs: "text" });
	const text: string = data ?? "";
	return { status: response.status, rows: text.trimEnd().split("\n").length - 1 };
}

async function usage() {
	const { data, response } = await client.GET("/usage");
	// It can be asked for as CSV too, which would be text.
	if (typeof data !== "object") return { status: response.status };
	const plan: "Free" | "Growth" | "Scale" | "Enterprise" = data.plan;
	return { status: response.status, plan };
}

type Refusal = components["schemas"]["Problem"];

async function noSuchProject() {
	const { error, response } = await client.GET("/projects/{project_id}", {
		params: { path: { project_id: "PJM-ZZ9-999" } },
	});
	return { status: response.status, detail: error?.detail };
}

async function outOfBounds() {
	const { error, response } = await client.GET("/projects", { params: { query: { per_page: 501 } } });
	const [fault] = (error as Refusal | undefined)?.errors ?? [];
	return { status: response.status, at: fault?.loc };
}

async function noSuchKey() {
	const headers = { "X-API-Key": "pk_unknown" };
	const { error, response } = await client.GET("/usage", { headers });
	return { status: response.status, detail: error?.detail };
}

/** Never called: what the types must refuse. Where they do not, the directive itself is an error of the compiler. */
export async function mistakes() {
	// @ts-expect-error there is no such path
	await client.GET("/project");
	// @ts-expect-error q is required
	await client.GET("/search", { params: { query: { per_page: 5 } } });
	// @ts-expect-error project_id is required
	await client.GET("/projects/{project_id}", { params: { path: {} } });
	// @ts-expect-error it is called region
	await client.GET("/projects", { params: { query: { area: "PJM" } } });
	// @ts-expect-error no operator of that name
	await client.GET("/projects", { params: { query: { region: ["AESO"] } } });
	// @ts-expect-error a number
	await client.GET("/projects", { params: { query: { per_page: "many" } } });
	// @ts-expect-error the statement is missing
	await client.POST("/query", { body: { database: "master" } });
	// @ts-expect-error it is asked for by POST
	await client.GET("/query");
	const { data } = await client.GET("/projects", { params: { query: { per_page: 1 } } });
	const [row] = data?.data ?? [];
	// @ts-expect-error it is called capacity_mw
	row?.capacity;
	// @ts-expect-error it can be null
	const state: string | undefined = row?.state;
	return state;
}

const got = {
	list: await list(),
	project: await project(),
	query: await query(),
	csv: await csv(),
	usage: await usage(),
	noSuchProject: await noSuchProject(),
	outOfBounds: await outOfBounds(),
	noSuchKey: await noSuchKey(),
};
console.log(JSON.stringify(got));
