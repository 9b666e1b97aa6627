import { describe, expect, test } from "vitest";
import { z } from "zod";
import { pageMeta } from "#libs/contract/envelopes.ts";
import { fieldsOf } from "#libs/contract/schemas/fields.ts";
import { jsonSchema } from "../registry/json-schema.ts";
import { FieldLines } from "./endpoint-notes.ts";

const described = (schema: z.ZodType) =>
	fieldsOf(jsonSchema(schema))
		.slice(1)
		.map(
			({ path, type, nullable, unit }) =>
				`${path}: ${type}${nullable ? "?" : ""}${unit === undefined ? "" : ` ${unit}`}`,
		);

const mw = z.number().meta({ "x-unit": "MW" });

test.each<[z.ZodType, string]>([
	[z.string(), "a: string"],
	[z.string().nullable(), "a: string?"],
	[mw, "a: number MW"],
	[mw.nullable(), "a: number? MW"],
	[mw.nullable().meta({ description: "What it may feed in" }), "a: number? MW"],
	[z.array(mw), "a: list of number MW"],
	[z.record(z.string(), mw), "a: map of number MW"],
	[z.enum(["x", "y"]).nullable(), 'a: "x" | "y"?'],
	[z.enum(["x"]).or(z.string()), 'a: "x" or string'],
	[z.string().meta({ format: "date" }), "a: date"],
	[z.string().meta({ format: "date-time" }).nullable(), "a: timestamp?"],
	[z.unknown(), "a: any value"],
])("%#: the description of a field", (schema, words) => {
	expect(described(z.strictObject({ a: schema }))).toEqual([words]);
});

test("objects are listed by their fields, in lists and maps too", () => {
	const inner = z.strictObject({ b: z.int() });
	expect(described(z.strictObject({ a: inner, l: z.array(inner).nullable(), m: z.record(z.string(), inner) }))).toEqual(
		["a: object", "a.b: integer", "l: list of object?", "l[].b: integer", "m: map of object", "m.<key>.b: integer"],
	);
});

test("the fields of alternative objects are listed once, with the types of each", () => {
	const kind = <K extends string>(k: K) => z.strictObject({ kind: z.literal(k), n: z.int() });
	expect(described(z.strictObject({ r: z.array(z.discriminatedUnion("kind", [kind("x"), kind("y")])) }))).toEqual([
		"r: list of object",
		'r[].kind: "x" | "y"',
		"r[].n: integer",
	]);
});

describe("lines of the reference", () => {
	const many = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`f${n}`, z.int()]));
	const meta = z.strictObject(pageMeta);

	test("refer to an object of an earlier response, and add further fields", () => {
		const lines = new FieldLines();
		expect(lines.linesOf("GET /a", z.strictObject({ data: z.array(z.strictObject(many)) }))).toHaveLength(15);
		expect(lines.linesOf("GET /b", z.strictObject({ ...many, more: z.string() }))).toEqual([
			"- every field of GET /a `data[]`, and:",
			"- `more` string",
		]);
		expect(lines.linesOf("GET /c", z.strictObject({ ...many, f3: z.string() }))).toHaveLength(15);
	});

	test("omit only the common meta fields, which the heading describes", () => {
		const lines = new FieldLines();
		expect(lines.linesOf("GET /a", z.strictObject({ meta }))).toEqual([]);
		expect(lines.linesOf("GET /b", z.strictObject({ meta: meta.extend({ withheld: z.int() }) }))).toEqual([
			"- `meta.withheld` integer",
		]);
		expect(lines.linesOf("GET /c", z.strictObject({ meta: z.strictObject({ total: z.int() }) }))).toHaveLength(1);
	});

	test("refer to the meta of an earlier response if several fields are equal", () => {
		const lines = new FieldLines();
		const past = { as_of: z.string(), coverage: z.int(), corrections: z.int() };
		expect(lines.linesOf("GET /a", z.strictObject({ meta: z.strictObject(past) }))).toHaveLength(3);
		expect(lines.linesOf("GET /b", z.strictObject({ meta: z.strictObject({ ...past, more: z.int() }) }))).toEqual([
			"- `meta.more` integer",
			"- as of GET /a: `meta.as_of`, `meta.coverage`, `meta.corrections`",
		]);
		expect(lines.linesOf("GET /c", z.strictObject({ meta: z.strictObject({ as_of: z.string() }) }))).toEqual([
			"- `meta.as_of` string",
		]);
	});
});
