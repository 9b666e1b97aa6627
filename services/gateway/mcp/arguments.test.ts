import { expect, test } from "vitest";
import { AppError } from "#libs/contract/errors.ts";
import { httpOperations } from "../registry/bindings.ts";
import { type Arguments, toolRequest } from "./arguments.ts";

const requestOf = (name: string, given: Arguments) => {
	const declared = httpOperations().find((one) => one.name === name);
	if (declared === undefined) throw new Error(name);
	return toolRequest(declared, given, 8_192);
};

/** The status and the places of what is wrong. */
function refusal(name: string, given: Arguments): unknown[] {
	try {
		return [requestOf(name, given)];
	} catch (error) {
		if (!(error instanceof AppError)) throw error;
		return [error.status, ...(error.errors ?? []).map(({ loc }) => loc.join(" "))];
	}
}

test("arguments of a GET become its query, whatever stands in them", () => {
	expect(requestOf("listProjects", {})).toMatchObject({ address: "/projects" });
	expect(requestOf("listProjects", { state: "TX", per_page: 5, min_score: 0.5, consistent: true })).toMatchObject({
		address: "/projects?state=TX&per_page=5&min_score=0.5&consistent=true",
	});
	expect(requestOf("search", { q: "a&b=c #?/%é +" })).toMatchObject({
		address: "/search?q=a%26b%3Dc%20%23%3F%2F%25%C3%A9%20%2B",
	});
});

test("several values of a filter stand in the query with commas", () => {
	expect(requestOf("listProjects", { state: ["TX", "CA"], region: "PJM,SPP" })).toMatchObject({
		query: "state=TX%2CCA&region=PJM%2CSPP",
	});
});

test("a list is no value of a parameter that takes one, and an empty one is none", () => {
	for (const given of [{ page: ["1"] }, { q: ["ab", "cd"] }, { state: [] }, { sort: ["id"] }, { constructor: ["a"] }])
		expect(refusal("listProjects", given)).toEqual([422, `arguments ${Object.keys(given)[0]}`]);
	expect(refusal("getProject", { project_id: ["a", "b"] })).toEqual([422, "arguments project_id"]);
	expect(refusal("exportProjects", { format: ["parquet"] })).toEqual([422, "arguments format"]);
	expect(requestOf("listProjects", { bbox: [-96, 29, -95, 31] })).toMatchObject({ query: "bbox=-96%2C29%2C-95%2C31" });
});

test("what stands in the path is one segment of it", () => {
	expect(requestOf("getProject", { project_id: "a/../b?c#d", region: "PJM" })).toMatchObject({
		address: "/projects/a%2F..%2Fb%3Fc%23d?region=PJM",
		path: { project_id: "a/../b?c#d" },
		query: "region=PJM",
	});
});

test("arguments of a POST become its body", () => {
	expect(requestOf("runQuery", { sql: "select 1" })).toEqual({
		address: "/query",
		path: {},
		query: "",
		body: '{"sql":"select 1"}',
	});
});

test("a body may hold lists and objects, as deep as operations have them", () => {
	const queries = [
		{ q: "J1234", region: "MISO" },
		{ q: "Desert Sun", state: "TX" },
	];
	expect(requestOf("resolveMany", { queries }).body).toBe(JSON.stringify({ queries }));
	const deep = JSON.parse(`${"[".repeat(20)}${"]".repeat(20)}`);
	for (const wrong of [deep, [{ q: "\ud800" }], { "\ud800": 1 }])
		expect(refusal("resolveMany", { queries: wrong })).toEqual([422, "arguments queries"]);
});

test("a path that is another operation's is no id", () => {
	expect(refusal("getDeveloper", { developer_id: "stats" })).toEqual([404]);
});

test("an argument that a URL cannot express is refused by its name", () => {
	expect(refusal("getProject", {})).toEqual([422, "arguments project_id"]);
	expect(refusal("getProject", { project_id: "" })).toEqual([422, "arguments project_id"]);
	expect(refusal("listProjects", { state: null, region: [{}], sort: {}, page: "\ud800" })).toEqual([
		422,
		"arguments state",
		"arguments region",
		"arguments sort",
		"arguments page",
	]);
	expect(refusal("listProjects", { "\udfff": 1 })).toEqual([422, "arguments arguments"]);
});

test("a format that is no text is refused in any spelling, before anything is asked", () => {
	for (const format of ["parquet", "Parquet", " PARQUET\t"])
		expect(refusal("exportProjects", { format })).toEqual([422, "arguments format"]);
	for (const format of ["csv", "CSV", "no such"])
		expect(requestOf("exportProjects", { format })).toMatchObject({
			address: `/export/projects?format=${encodeURIComponent(format)}`,
		});
	// The manifest names these in JSON.
	expect(requestOf("getExportManifest", { format: "parquet" })).toMatchObject({
		address: "/export/projects/manifest?format=parquet",
	});
});

test("a key is not an argument, of no operation", () => {
	for (const { name } of httpOperations()) expect(refusal(name, { api_key: "pk_x" })).toContain("arguments api_key");
});
