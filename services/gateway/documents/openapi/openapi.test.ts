import { getWarningsForOpenAPI } from "@agentcash/discovery";
import { validate } from "mppx/discovery";
import { describe, expect, test } from "vitest";
import { notedFields, noteOnField } from "#libs/contract/documents/field-notes/index.ts";
import type { JsonSchema } from "#libs/contract/schemas/json-schema.ts";
import { priceMicroUsd } from "#libs/contract/vocabulary.ts";
import { httpOperations, isSold, usdText } from "../../registry/bindings.ts";
import { type DocumentOptions, openapiDocument } from "./openapi.ts";

interface Documented {
	operationId: string;
	security: Record<string, string[]>[];
	parameters: { name: string; in: string }[];
	requestBody?: { required: boolean; content: Record<string, { schema: { $ref: string } }> };
	responses: Record<string, object>;
	"x-payment-info"?: { price: Record<string, string>; protocols: object[]; offers?: Record<string, string>[] };
}
interface Document {
	info: Record<string, unknown>;
	paths: Record<string, Record<string, Documented>>;
	components: {
		securitySchemes: object;
		schemas: Record<string, JsonSchema>;
		responses: Record<string, { headers?: object; content: object }>;
	};
}

const everyRail: DocumentOptions = {
	keyless: "pay",
	railsEnabled: ["x402", "mpp", "card"],
	mppCurrency: "0x20c0000000000000000000000000000000000000",
	contact: "data@example.com",
};
const made = new Map<string, Document>();

/** Each document is made once: describing every reply takes its time. */
function read(options?: DocumentOptions): Document {
	const name = JSON.stringify(options ?? null);
	const document = made.get(name) ?? (openapiDocument("https://api.example.com", options) as unknown as Document);
	made.set(name, document);
	return document;
}

function operation(document: Document, name: string): Documented {
	const found = Object.values(document.paths).flatMap((path) => Object.values(path));
	const one = found.find(({ operationId }) => operationId === name);
	if (one === undefined) throw new Error(`${name} is not documented`);
	return one;
}

const schemes = (one: Documented): string[] => one.security.map((way) => Object.keys(way).join());
const keys = ["key", "bearer", "keyInQuery"];

describe("authentication", () => {
	test("a free operation needs no key, a key operation needs one, and a priced operation works with or without", () => {
		for (const document of [read(), read(everyRail)]) {
			expect(schemes(operation(document, "getPricingInfo"))).toEqual([]);
			expect(schemes(operation(document, "getUsage"))).toEqual(keys);
			expect(schemes(operation(document, "rotateKey"))).toEqual(keys);
			expect(schemes(operation(document, "listProjects"))).toEqual(expect.arrayContaining(["", ...keys]));
			expect(schemes(operation(document, "getCredits"))).toEqual(["credits"]);
		}
	});

	test.each<DocumentOptions>([
		{ keyless: "closed", railsEnabled: ["x402"] },
		{ keyless: "pay", railsEnabled: [] },
	])("a priced operation requires a key if there is no other way: %o", (options) => {
		const document = read(options);
		expect(schemes(operation(document, "listProjects"))).toEqual(keys);
		expect(operation(document, "listProjects")).not.toHaveProperty("x-payment-info");
	});

	test("every named security scheme exists", () => {
		const document = read(everyRail);
		for (const { name } of httpOperations())
			for (const scheme of schemes(operation(document, name)))
				if (scheme !== "") expect(document.components.securitySchemes).toHaveProperty(scheme);
	});
});

describe("the price of a call", () => {
	test("is stated for every priced operation, with the enabled ways to pay", () => {
		const document = read(everyRail);
		for (const { name, http } of httpOperations()) {
			const info = operation(document, name)["x-payment-info"];
			if (name === "buyCredits") continue;
			if (!isSold(http)) {
				expect(info, name).toBeUndefined();
				continue;
			}
			const amount = usdText(priceMicroUsd[http.price]);
			expect(info?.price, name).toEqual({ mode: "fixed", currency: "USD", amount });
			const mpp = { method: "tempo", intent: "charge", currency: everyRail.mppCurrency };
			expect(info?.protocols).toEqual([{ x402: {} }, { mpp }]);
			expect(info?.offers).toEqual([{ ...mpp, amount: String(priceMicroUsd[http.price]) }]);
		}
	});

	test("is not stated if nothing is charged", () => {
		expect(JSON.stringify(read({ ...everyRail, keyless: "open", railsEnabled: ["x402", "mpp"] }))).not.toContain(
			'"x-payment-info"',
		);
	});

	test("names only the enabled ways to pay", () => {
		const info = (rails: DocumentOptions["railsEnabled"]) =>
			operation(read({ keyless: "pay", railsEnabled: rails }), "listProjects")["x-payment-info"];
		expect(info(["x402"])).toMatchObject({ protocols: [{ x402: {} }] });
		expect(info(["x402"])).not.toHaveProperty("offers");
		expect(info(["mpp"])?.protocols).toEqual([{ mpp: { method: "tempo", intent: "charge", currency: "USD" } }]);
		expect(info(["card"])).toMatchObject({ price: { amount: "0.01" }, protocols: [] });
	});

	test("credits are sold only by card, in the declared amounts", () => {
		const info = operation(read(everyRail), "buyCredits")["x-payment-info"];
		expect(info?.price).toEqual({ mode: "dynamic", currency: "USD", min: "5.00", max: "50.00" });
		expect(info?.offers?.map(({ amount }) => amount)).toEqual(["500", "2000", "5000"]);
		expect(operation(read(everyRail), "buyCredits").responses).toHaveProperty("402");
		const without = read({ keyless: "pay", railsEnabled: ["x402"] });
		expect(operation(without, "buyCredits")).not.toHaveProperty("x-payment-info");
	});

	test.each([
		[10_000, "0.01"],
		[50_000, "0.05"],
		[100_000, "0.10"],
		[2_500, "0.0025"],
		[5_000_000, "5.00"],
		[1_234_567, "1.234567"],
		[0, "0.00"],
	])("%i millionths are %s dollars", (microUsd, text) => {
		expect(usdText(microUsd)).toBe(text);
	});
});

describe("a POST operation", () => {
	test("has its parameters in the body, as JSON or as a form", () => {
		const { parameters, requestBody } = operation(read(), "register");
		expect(parameters).toEqual([]);
		expect(Object.keys(requestBody?.content ?? {})).toEqual(["application/json", "application/x-www-form-urlencoded"]);
		for (const { schema } of Object.values(requestBody?.content ?? {}))
			expect(schema).toEqual({ $ref: "#/components/schemas/RegisterRequest" });
		const { RegisterRequest } = read().components.schemas;
		expect(Object.keys(RegisterRequest?.properties ?? {})).toEqual(["email", "name", "daily_queries"]);
		expect(RegisterRequest?.required).toEqual(["email"]);
		expect(requestBody?.required).toBe(true);
		expect(operation(read(), "rotateKey").requestBody?.required).toBe(false);
		expect(operation(read(), "revokeKey")).not.toHaveProperty("requestBody");
		expect(operation(read(), "listProjects")).not.toHaveProperty("requestBody");
	});

	test("documents the errors of a body, unlike a GET", () => {
		const statuses = (name: string) => Object.keys(operation(read(), name).responses);
		expect(statuses("register")).toEqual(expect.arrayContaining(["409", "413", "415"]));
		for (const status of ["413", "415"]) expect(statuses("listProjects")).not.toContain(status);
	});
});

test("a priced operation documents a 402 with the ways to pay; a 429 states the limits", () => {
	const document = read();
	expect(operation(document, "listProjects").responses).toHaveProperty("402");
	expect(operation(document, "getStats").responses).not.toHaveProperty("402");
	const { PaymentRequired, TooManyRequests } = document.components.responses;
	expect(Object.keys(PaymentRequired?.content ?? {})).toEqual(["application/problem+json"]);
	expect(Object.keys(TooManyRequests?.content ?? {})).toEqual(["application/problem+json"]);
	expect(Object.keys(TooManyRequests?.headers ?? {})).toEqual(
		expect.arrayContaining(["RateLimit", "RateLimit-Policy", "Retry-After", "X-Request-Id"]),
	);
});

describe("schemas", () => {
	test("every object with fields has a name, and every reference resolves", () => {
		const { paths, components } = read();
		const named = new Set(Object.keys(components.schemas).map((name) => `#/components/schemas/${name}`));
		const walk = (part: unknown, where: string): void => {
			if (typeof part !== "object" || part === null) return;
			const { properties, $ref } = part as JsonSchema;
			expect(typeof properties === "object" && "type" in part, `${where} has no name`).toBe(false);
			if (typeof $ref === "string" && $ref.startsWith("#/components/schemas/")) expect(named).toContain($ref);
			for (const [key, each] of Object.entries(part)) if (key !== "example") walk(each, `${where}/${key}`);
		};
		walk(paths, "paths");
		for (const [name, { properties = {}, ...rest }] of Object.entries(components.schemas)) {
			walk(rest, name);
			for (const [field, each] of Object.entries(properties)) walk(each, `${name}.${field}`);
		}
	});

	test("every field has a description", () => {
		const silent = Object.entries(read().components.schemas).flatMap(([name, { properties = {} }]) =>
			Object.entries(properties)
				.filter(([, each]) => each.description === undefined && !each.anyOf?.some(({ description }) => description))
				.map(([field]) => `${name}.${field}`),
		);
		expect(silent).toEqual([]);
	});

	test("every note describes a field of a response", () => {
		const described = new Map<string, Set<string | undefined>>();
		for (const { properties = {} } of Object.values(read().components.schemas))
			for (const [name, { description }] of Object.entries(properties))
				described.set(name, (described.get(name) ?? new Set()).add(description));
		expect(notedFields.filter((name) => !described.get(name)?.has(noteOnField(name)))).toEqual([]);
	});
});

describe("examples", () => {
	test("exist for every required parameter", () => {
		for (const { name, operation: declared } of httpOperations()) {
			const { parameters, requestBody } = operation(read(), name) as unknown as {
				parameters: { name: string; required: boolean; example?: unknown }[];
				requestBody?: { content: Record<string, { example: unknown }> };
			};
			for (const parameter of parameters.filter(({ required }) => required))
				expect(parameter.example, `${name}.${parameter.name}`).toBeDefined();
			const body = requestBody?.content["application/json"]?.example;
			const inPath = Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.example]));
			if (requestBody !== undefined)
				expect(declared.params.safeParse({ ...inPath, ...(body as object) }).error?.issues, name).toBeUndefined();
		}
	});

	test("exist for every error", () => {
		for (const [name, { content }] of Object.entries(read().components.responses))
			for (const each of Object.values(content as Record<string, { example?: { detail: string } }>))
				expect(each.example?.detail, name).toMatch(/\S/);
	});

	test("of a response are shown only if all rows are complete", () => {
		const shown = (isWhole: boolean) => {
			const example = {
				params: { q: "so" },
				answer: { value: { query: "so", results: [] }, isCut: true, isWhole },
				tag: "",
			};
			const document = openapiDocument("/", everyRail, new Map([["search" as const, example]])) as unknown as Document;
			return operation(document, "search").responses[200];
		};
		expect(shown(true)).toMatchObject({ content: { "application/json": { example: { query: "so", results: [] } } } });
		expect(JSON.stringify(shown(false))).not.toContain('"example"');
	});
});

test("every resource has a description", () => {
	const { tags } = read() as unknown as { tags: { name: string; description: string }[] };
	for (const { name, description } of tags) expect(description.length, name).toBeGreaterThan(name.length);
});

test("a form is accepted if every field is text; JSON is always accepted", () => {
	const bodies = Object.values(read().paths).flatMap((methods) =>
		Object.values(methods).flatMap(({ operationId, requestBody }) =>
			requestBody === undefined ? [] : [[operationId, Object.keys(requestBody.content)] as const],
		),
	);
	const form = "application/x-www-form-urlencoded";
	for (const [operation, types] of bodies) expect(types, operation).toContain("application/json");
	expect(bodies.filter(([, types]) => !types.includes(form)).map(([operation]) => operation)).toEqual(
		expect.arrayContaining([
			"resolveMany",
			"quote",
			"createWatchlist",
			"changeWatchlist",
			"createWebhook",
			"changeWebhook",
		]),
	);
	expect(bodies.filter(([, types]) => types.includes(form)).map(([operation]) => operation)).toEqual(
		expect.arrayContaining(["register", "runQuery", "startCheckout"]),
	);
});

test("the contact is included if it is configured", () => {
	expect(read(everyRail).info.contact).toEqual({ name: "Operator of this service", email: "data@example.com" });
	expect(read().info.contact).toEqual({ name: "Operator of this service" });
});

test("validators of agent registries report no problem", () => {
	const document = openapiDocument("https://api.example.com", everyRail);
	expect(validate(document)).toEqual([]);
	const routes = httpOperations().map(({ http }) => ({ path: http.path, method: http.method }));
	const parsed = { raw: document, routes } as unknown as Parameters<typeof getWarningsForOpenAPI>[0];
	expect(getWarningsForOpenAPI(parsed)).toEqual([]);
	expect(String((document.info as Document["info"])["x-guidance"]).length).toBeLessThan(4_000);
});

describe("code samples", () => {
	type Sampled = Documented & { "x-codeSamples": { label: string; source: string }[] };
	const samples = (name: string) => (operation(read(), name) as Sampled)["x-codeSamples"];

	test("show the example's call; a file also has a statement that reads it", () => {
		expect(samples("listProjects").map(({ label }) => label)).toEqual(["curl", "JavaScript", "Python"]);
		for (const { source } of samples("listProjects")) expect(source).toContain("https://api.example.com/projects?");
		const duckdb = samples("exportProjects").find(({ label }) => label === "DuckDB");
		expect(duckdb?.source).toMatch(
			/read_parquet\('https:\/\/api\.example\.com\/export\/projects\?[^']*format=parquet'\)/,
		);
	});

	test("send a key only if it is useful", () => {
		for (const { source } of samples("getPricingInfo")) expect(source).not.toContain("KEY");
		for (const { source } of samples("getUsage")) expect(source).toContain("KEY");
	});
});
