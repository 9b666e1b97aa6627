import { describe, expect, test } from "vitest";
import { AppError } from "#libs/contract/errors.ts";
import { type OperationName, operations } from "#libs/contract/index.ts";
import { httpOperations } from "./bindings.ts";
import { paramsReader } from "./params.ts";

const projects = paramsReader("listProjects");
const project = paramsReader("getProject");

/** The error's status and the parameters it names. */
function refusal(read: () => unknown): { status: number; names: string[] } {
	try {
		read();
	} catch (error) {
		if (error instanceof AppError)
			return { status: error.status, names: error.errors?.map(({ loc }) => loc.join(".")) ?? [] };
		throw error;
	}
	throw new Error("nothing was refused");
}

describe("a query", () => {
	test("is read with the declared defaults", () => {
		expect(projects({}, "state=tx&per_page=5")).toEqual({
			state: ["TX"],
			per_page: 5,
			page: 1,
			sort: "id",
			order: "asc",
			population: "transmission",
		});
	});

	test("is normalised to the same text in any order", () => {
		const one = projects({}, "per_page=5&state=TX&iso=SPP");
		expect(JSON.stringify(projects({}, "iso=spp&state=tx&per_page=05"))).toBe(JSON.stringify(one));
	});

	test("accepts + and %20 for a space, and empty parts", () => {
		expect(projects({}, "&developer=Next+Era%20Energy&")).toMatchObject({ developer: "Next Era Energy" });
	});

	test.each([
		["an unknown parameter", "foo=1", ["query.foo"]],
		["a repeated parameter", "q=ab&q=cd", ["query.q"]],
		["more values than are taken", `state=${"TX,".repeat(60)}CA`, ["query.state"]],
		["an empty value among several", "state=TX,,CA", ["query.state"]],
		["a name that JavaScript knows", "__proto__=1&constructor=2", ["query.__proto__", "query.constructor"]],
		["a value out of bounds", "per_page=501", ["query.per_page"]],
		["an empty value", "per_page=", ["query.per_page"]],
		["a value without a name", "=5", ["query."]],
		["everything at once", "foo=1&page=0&order=up", ["query.foo", "query.order", "query.page"]],
		["parameters that contradict each other", "iso=PJM&region=SPP", ["query.iso"]],
	])("with %s is a 422 that names it", (_what, query, names) => {
		expect(refusal(() => projects({}, query))).toEqual({ status: 422, names });
	});

	test("accepts several values of a filter, separated by commas or repeated, each once", () => {
		expect(projects({}, "state=texas,New+York")).toMatchObject({ state: ["TX", "NY"] });
		const one = projects({}, "state=tx,CA&region=PJM&region=ercot,PJM");
		expect(one).toMatchObject({ state: ["TX", "CA"], region: ["PJM", "ERCOT"] });
	});

	test.each([
		["regoin=PJM", 'regoin: is not a parameter of GET /projects; did you mean "region"?'],
		["fuel_type=Sloar", 'did you mean "Solar"?'],
		["region=PJM,CASIO", 'did you mean "CAISO"?'],
		["construction_stage=lat", 'did you mean "late"?'],
		["technology=Solar", 'technology: is not a parameter of GET /projects; did you mean "fuel_type"?'],
		["type=Solar", 'did you mean "fuel_type"?'],
		["limit=5", 'did you mean "per_page"?'],
		["min_mw=5", 'did you mean "capacity_min"?'],
		["state=Texs", 'did you mean "Texas"?'],
		["cod_from=2028-01-01&cod_to=2027-01-01", "cod_from: is after cod_to"],
		["fuel_type=Battery", 'did you mean "Storage"?'],
	])("with a typing error (%s) is a 422 with a suggestion", (query, message) => {
		expect(() => projects({}, query)).toThrow(message);
	});

	test("without a required parameter is a 422 that names it", () => {
		expect(() => paramsReader("search")({}, "")).toThrow("q: is required");
	});

	test("without a parameter that another one requires is a 422 with the text of that rule", () => {
		expect(() => paramsReader("listPlants")({}, "lat=30")).toThrow("lon: lat and lon must be given together");
		const list = paramsReader("listProjects");
		expect(() => list({}, "near=Kern,CA")).toThrow("near: requires radius_km");
		expect(() => list({}, "near=Kern,CA&lat=30&lon=-99&radius_km=9")).toThrow(
			"near: cannot be combined with lat and lon",
		);
		expect(() => paramsReader("listMarketPrices")({}, "iso=PJM")).toThrow("interval: must be month");
	});

	test.each(["state=%", "state=%zz", "state=%ff", "%c3=1"])("that cannot be decoded (%s) is a 400", (query) => {
		expect(refusal(() => projects({}, query)).status).toBe(400);
	});

	test("may contain api_key, which does not reach the handler", () => {
		for (const { name } of httpOperations()) {
			const bare = outcome(name, "");
			expect(outcome(name, "api_key=pk_secret")).toEqual(bare);
			expect(JSON.stringify(bare)).not.toContain("api_key");
		}
	});
});

describe("a path parameter", () => {
	test("is not accepted in the query", () => {
		expect(refusal(() => project({ project_id: "a" }, "project_id=b"))).toEqual({
			status: 422,
			names: ["query.project_id"],
		});
	});

	test("that is too long is named in the error", () => {
		expect(refusal(() => project({ project_id: "x".repeat(201) }, "")).names).toEqual(["path.project_id"]);
	});
});

test("parsing is idempotent, so the owning service that parses again gets the same parameters", () => {
	const examples: [OperationName, string][] = [
		["listProjects", "region=iso ne&min_score=3&investable=false&capacity_min=-.5&date_from=2024-02-29&status=Active"],
		["listChanges", "since_days=90&change_type=status_change"],
		["search", "q=ab"],
	];
	for (const [name, query] of examples) {
		const parsed = paramsReader(name)({}, query);
		expect(operations[name].params.parse(JSON.parse(JSON.stringify(parsed)))).toEqual(parsed);
	}
});

function outcome(name: OperationName, query: string): unknown {
	try {
		return paramsReader(name)({ project_id: "a" }, query);
	} catch (error) {
		return String(error);
	}
}
