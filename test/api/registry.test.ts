/** Rules for every declaration of the registry, so that no operation is undocumented. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { resourceNotes } from "#libs/contract/documents/about.ts";
import { type OperationShape, operations, resources } from "#libs/contract/index.ts";
import { pathParameters } from "../../services/gateway/registry/bindings.ts";
import { excludedBy } from "./support/tool-copies.ts";

interface Schema {
	type?: string | string[];
	const?: unknown;
	enum?: unknown[];
	description?: string;
	properties?: Record<string, Schema>;
	items?: Schema;
	additionalProperties?: boolean | Schema;
	anyOf?: Schema[];
	oneOf?: Schema[];
	allOf?: Schema[];
	"x-unit"?: string;
	examples?: unknown[];
	minimum?: number;
	format?: string;
}

const declared: [name: string, operation: OperationShape][] = Object.entries<OperationShape>(operations);
const overHttp = declared.filter(([, { http }]) => http !== undefined);

const asJson = (schema: z.ZodType): Schema => z.toJSONSchema(schema, { io: "output" }) as Schema;

interface Numeric {
	path: string;
	/** The name of the field, of a list or a map that of the whole. */
	name: string;
	type: string;
	unit: string | undefined;
}

/** Every number of a schema, however deep. */
function numbers(schema: Schema, path: string, name: string, unit?: string): Numeric[] {
	const own = schema["x-unit"] ?? unit;
	// One of some words that happen to be digits, such as 0 and 1, is no quantity.
	const types = schema.const === undefined && schema.enum === undefined ? [schema.type ?? []].flat() : [];
	const numeric = types.filter((type) => type === "number" || type === "integer");
	const found: Numeric[] = numeric.map((type) => ({ path, name, type, unit: own }));
	for (const each of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
		found.push(...numbers(each, path, name, own));
	if (schema.items !== undefined) found.push(...numbers(schema.items, `${path}[]`, name, own));
	if (typeof schema.additionalProperties === "object")
		found.push(...numbers(schema.additionalProperties, `${path}.*`, name, own));
	for (const [property, each] of Object.entries(schema.properties ?? {}))
		found.push(...numbers(each, `${path}.${property}`, property));
	return found;
}

/** Units by the end of a field's name; the first pattern that matches decides. */
const promises: [name: RegExp, unit: RegExp][] = [
	[/_usd_mwh$/, /^USD\/MWh$/],
	[/_micro_usd$/, /^micro-USD$/],
	[/_per_kwh$/, /\/kWh$/],
	[/_per_kw$/, /\/kW$/],
	[/_per_(operational_)?mw$/, /\/MW$/],
	[/_per_(mwh)$/, /\/MWh$/],
	[/(^|_)mw$/, /^MW$/],
	[/(^|_)kw$/, /^kW$/],
	[/(^|_)kwh$/, /^kWh$/],
	[/(^|_)mwh$/, /^MWh$/],
	[/(^|_)gw$/, /^GW$/],
	[/(^|_)usd$/, /^USD$/],
	[/_pct$/, /^(fraction|percent)$/],
	// `last_24_hours` is a window in which something is counted.
	[/(?<!_\d+)_hours$/, /^hours$/],
	[/_ms$/, /^ms$/],
	[/_seconds$/, /^s$/],
	[/_kv$/, /^kV$/],
	[/_km$/, /^km$/],
	[/(^|_)bytes$/, /^bytes$/],
	[/_mb$/, /^MB$/],
	[/^(lat|lon)$/, /^degrees$/],
];

/** The fault of a number's unit, if any. */
function fault({ name, type, unit }: Numeric): string | undefined {
	if (type === "number" && unit === undefined) return "has no unit";
	const promised = promises.find(([ending]) => ending.test(name))?.[1];
	if (promised !== undefined && !promised.test(unit ?? ""))
		return `has the unit ${unit}, its name says ${promised.source}`;
	return undefined;
}

const faults = (schema: Schema, path: string, name = ""): string[] =>
	numbers(schema, path, name).flatMap((each) => {
		const found = fault(each);
		return found === undefined ? [] : [`${each.path} ${found}`];
	});

/** Values of which a parameter takes one. */
function samples({ type, enum: words, examples, items, minimum = 2, format }: Schema): unknown[] {
	if (type === "array") return samples(items ?? {}).map((one) => [one]);
	if (type === "boolean") return [true];
	if (type === "integer" || type === "number") return [minimum, 2];
	return words ?? examples ?? (format === "date" ? ["2026-07-01"] : ["PJM-1", "TX", "48201", "48201000100"]);
}

/** Pairs of optional parameters that a call may have alone and not together. One that requires a value of the other is no such pair. */
function conflicts(params: OperationShape["params"], example: OperationShape["example"] = {}): [string, string][] {
	const isRequired = (schema: z.ZodType) => !schema.safeParse(undefined).success;
	const required = Object.entries(example).filter(([name]) => isRequired(params.shape[name] ?? z.any()));
	const faultOf = (...given: (readonly [string, unknown])[]) =>
		params.safeParse(Object.fromEntries([...required, ...given])).error?.issues[0];
	const alone = Object.entries(params.shape).flatMap(([name, schema]) => {
		const value = isRequired(schema) ? undefined : samples(asJson(schema)).find((one) => !faultOf([name, one]));
		return value === undefined ? [] : [[name, value] as const];
	});
	return alone.flatMap((one, place) =>
		alone.slice(0, place).flatMap((other): [string, string][] => {
			const fault = faultOf(one, other);
			return fault === undefined || fault.message.startsWith("requires") ? [] : [[one[0], other[0]]];
		}),
	);
}

describe.each(declared)("%s", (name, { summary, params, reply }) => {
	test("has a one-line description of its response", () => {
		expect(summary).toMatch(/^\S.{10,}\S$/);
	});

	test("gives every number of its reply a unit that matches its name", () => {
		expect(faults(asJson(reply), name)).toEqual([]);
	});

	test("gives every number among its parameters a unit", () => {
		const wrong = Object.entries(params.shape).flatMap(([each, schema]) =>
			faults(asJson(schema), `${name}(${each})`, each),
		);
		expect(wrong).toEqual([]);
	});
});

describe.each(overHttp)("%s over HTTP", (name, { params, example, http }) => {
	test("has a description of every parameter", () => {
		const mute = Object.entries(params.shape).filter(([, schema]) => !/\S/.test(asJson(schema).description ?? ""));
		expect(mute.map(([each]) => `${name}(${each})`)).toEqual([]);
	});

	test("declares which parameters cannot be combined", () => {
		const excluded = (each: string) => excludedBy(asJson(params.shape[each] ?? z.any()).description);
		const isSaid = ([one, other]: [string, string]) => excluded(one).includes(other) || excluded(other).includes(one);
		expect(conflicts(params, example).filter((pair) => !isSaid(pair))).toEqual([]);
	});

	test("has a valid example with all required parameters", () => {
		expect(example, name).toBeDefined();
		expect(params.safeParse(example).error?.issues).toBeUndefined();
		for (const each of pathParameters(http?.path ?? "")) expect(example).toHaveProperty(each);
	});
});

describe("a read of requests, changes, scores or developers supports past days, or states why not", () => {
	/** Lists without `as_of`: their rows are dated themselves, or are the same on every day. */
	const others = new Set<keyof typeof resources>([
		...(["access", "billing", "disputes", "webhooks", "query", "savedQueries"] as const),
		...(["discovery", "health", "sourceContracts"] as const),
		...(["dg", "market", "datacenters", "grid"] as const),
	]);
	const reads = overHttp.filter(([name, { http }]) => {
		const isOther = Object.entries(resources).some(
			([resource, members]) => others.has(resource as keyof typeof resources) && name in members,
		);
		return !isOther && (http?.method === "GET" || http?.readsByPost);
	});

	test.each(reads)("%s", (_, { params, noPast }) => {
		expect("as_of" in params.shape).toBe(noPast === undefined);
		if (noPast !== undefined) expect(noPast).toMatch(/^[A-Z`].+\.$/);
	});

	test("and no other operation gives a reason", () => {
		const names = new Set(reads.map(([name]) => name));
		expect(declared.filter(([name, { noPast }]) => noPast !== undefined && !names.has(name))).toEqual([]);
	});
});

test("every resource with HTTP operations is described", () => {
	const reached = Object.entries(resources).filter(([, members]) =>
		Object.values<OperationShape>(members).some(({ http }) => http !== undefined),
	);
	for (const [name] of reached) expect(resourceNotes[name], name).toMatch(/\S{2,}/);
});

describe("the check itself", () => {
	const checked = (schema: z.ZodType) => faults(asJson(schema), "it");

	test("finds a number without a unit at any depth", () => {
		expect(checked(z.strictObject({ a: z.number() }))).toEqual(["it.a has no unit"]);
		expect(checked(z.strictObject({ a: z.number().nullable() }))).toEqual(["it.a has no unit"]);
		expect(checked(z.strictObject({ a: z.union([z.string(), z.number()]) }))).toEqual(["it.a has no unit"]);
		expect(checked(z.strictObject({ a: z.array(z.strictObject({ b: z.number() })) }))).toEqual([
			"it.a[].b has no unit",
		]);
		expect(checked(z.strictObject({ a: z.record(z.string(), z.number()) }))).toEqual(["it.a.* has no unit"]);
		expect(checked(z.union([z.strictObject({ a: z.number() }), z.string()]))).toEqual(["it.a has no unit"]);
	});

	test("finds a unit that contradicts the name, also for integers", () => {
		expect(checked(z.strictObject({ total_mw: z.number().meta({ "x-unit": "kW" }) }))).toHaveLength(1);
		expect(checked(z.strictObject({ size_bytes: z.int() }))).toHaveLength(1);
		expect(checked(z.strictObject({ lmp_usd_mwh: z.number().meta({ "x-unit": "USD/MWh" }) }))).toEqual([]);
		expect(checked(z.strictObject({ last_24_hours: z.int() }))).toEqual([]);
	});
});
