import { describe, expect, test } from "vitest";
import { AppError } from "#libs/contract/errors.ts";
import { bodyReader, readBody } from "./body.ts";

const json = "application/json";
const form = "application/x-www-form-urlencoded";
const register = bodyReader("register");
const rotate = bodyReader("rotateKey");

/** The refusal of a body: status, sentence, and the places it names. */
function refusal(read: () => unknown): { status: number; detail: string; at: string[] } {
	try {
		read();
	} catch (error) {
		if (!(error instanceof AppError)) throw error;
		return { status: error.status, detail: error.message, at: error.errors?.map(({ loc }) => loc.join(".")) ?? [] };
	}
	throw new Error("nothing was refused");
}

describe("a body", () => {
	test.each([
		[json, '{"email":"a@example.com","name":"Ann"}'],
		["Application/JSON; charset=UTF-8", '{"email":"a@example.com","name":"Ann"}'],
		[form, "email=a%40example.com&name=Ann"],
		[`${form};charset=utf-8`, "name=Ann&email=a@example.com"],
	])("of %s is read into its fields", (type, text) => {
		expect({ ...readBody(type, Buffer.from(text)) }).toEqual({ email: "a@example.com", name: "Ann" });
		expect({ ...readBody(type, text) }).toEqual({ email: "a@example.com", name: "Ann" });
	});

	test.each([undefined, json, form, "text/plain"])("that is empty has no fields (%s)", (type) => {
		expect(Object.keys(readBody(type, Buffer.alloc(0)))).toEqual([]);
	});

	test.each([undefined, "", "text/plain", "multipart/form-data; boundary=x", "application/jsonp", "constructor"])(
		"of another media type (%s) is a 415 that names the supported ones",
		(type) => {
			const refused = refusal(() => readBody(type, "{}"));
			expect(refused).toMatchObject({ status: 415, detail: `send the body as ${json} or ${form}` });
		},
	);

	test("in another encoding is a 415, and one that is not UTF-8 a 400", () => {
		expect(refusal(() => readBody(`${json}; charset=utf-16`, "{}")).status).toBe(415);
		const latin = Buffer.from('{"name":"Zoë"}', "latin1");
		expect(refusal(() => readBody(json, latin))).toMatchObject({ status: 400, detail: "the body is not valid UTF-8" });
		expect(refusal(() => readBody(form, Buffer.from([0x61, 0x3d, 0xff]))).status).toBe(400);
	});
});

describe("JSON", () => {
	test("that is truncated is a 400 that states the position and echoes nothing", () => {
		const secret = "pk_0123456789";
		const { status, detail } = refusal(() => readBody(json, `{"email": "a@example.com", ${secret}}`));
		expect({ status, detail }).toEqual({ status: 400, detail: "the body is not valid JSON at position 27" });
		for (const text of [secret, `{"a":${secret}}`, `{"a":"${secret}`, `["${secret}"`, "{", "{} {}", " "]) {
			const refused = refusal(() => readBody(json, text));
			expect(refused.status, text).toBe(400);
			expect(refused.detail).not.toContain("pk_");
		}
	});

	test.each(["[]", "null", "1", '"a"', "true", '[{"email":"a"}]'])("that is not an object (%s) is a 400", (text) => {
		expect(refusal(() => readBody(json, text))).toMatchObject({
			status: 400,
			detail: "the body must be a JSON object",
		});
	});

	test.each([
		['{"email":"a","email":"b"}', ["body.email"]],
		['{"email":"a", "name": {"email": 1}, "\\u0065mail" : 2, "name":3}', ["body.email", "body.name"]],
		['{"a\\"":1,"a\\"":2}', ['body.a"']],
	])("with a field twice is a 422 that names it: %s", (text, at) => {
		expect(refusal(() => readBody(json, text))).toMatchObject({ status: 422, at });
	});

	test.each([
		'{"a":{"x":1},"b":{"x":2}}',
		'{"a":"b","b":"a","c":["a:","a"]}',
		'{"a":"\\"b\\":1","b":"{"}',
		'{"a":[{"a":1},{"a":2}]}',
	])("with a name twice at different levels is accepted: %s", (text) => {
		expect({ ...readBody(json, text) }).toEqual(JSON.parse(text));
	});

	test("cannot change a prototype", () => {
		const fields = readBody(json, '{"__proto__":{"admin":true},"constructor":1}');
		expect(Object.keys(fields)).toEqual(["__proto__", "constructor"]);
		expect(fields.admin).toBeUndefined();
		expect(Object.getPrototypeOf(fields)).toBeNull();
		expect(refusal(() => register({}, "", fields)).at).toEqual(["body.__proto__", "body.constructor", "body.email"]);
	});

	test("with a long string or deep nesting is read in linear time", () => {
		const long = `"${'\\"'.repeat(500_000)}"`;
		expect(String(readBody(json, `{"a":${long}}`).a)).toHaveLength(500_000);
		const deep = `{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`;
		expect(Object.keys(readBody(json, deep))).toEqual(["a"]);
	});
});

describe("a form", () => {
	test("accepts + and %20 for a space", () => {
		expect({ ...readBody(form, "name=Next+Era%20Energy%2B") }).toEqual({ name: "Next Era Energy+" });
	});

	test("omits empty fields", () => {
		expect({ ...readBody(form, "email=a%40example.com&name=") }).toEqual({ email: "a@example.com" });
	});

	test("with a field twice is a 422, even where one is empty", () => {
		expect(refusal(() => readBody(form, "name=&name=b&email=c"))).toMatchObject({ status: 422, at: ["body.name"] });
	});

	test.each(["name=%", "name=%zz", "name=%ff", "%c3=1"])("that cannot be decoded (%s) is a 400", (text) => {
		expect(refusal(() => readBody(form, text))).toMatchObject({
			status: 400,
			detail: "the form is not valid percent-encoded UTF-8",
		});
	});
});

describe("parameters of a POST", () => {
	test("are read with the defaults of the declaration, from JSON and from text", () => {
		expect(rotate({}, "", {})).toEqual({ grace_seconds: 86_400 });
		expect(rotate({}, "", { grace_seconds: 0 })).toEqual({ grace_seconds: 0 });
		expect(rotate({}, "", { grace_seconds: "3600" })).toEqual({ grace_seconds: 3_600 });
	});

	test.each<[string, Record<string, unknown>, string[]]>([
		["an unknown field", { email: "a@example.com", plan: "Enterprise" }, ["body.plan"]],
		["a missing field", {}, ["body.email"]],
		["a wrong value", { email: "a@", name: "" }, ["body.email", "body.name"]],
		["null", { email: null }, ["body.email"]],
		["a list", { email: ["a@example.com"] }, ["body.email"]],
		["an object", { email: "a@example.com", name: { toString: 1 } }, ["body.name"]],
		["a field named as nothing", { "": 1, email: "a@example.com" }, ["body."]],
	])("with %s are a 422 that names it", (_what, body, at) => {
		expect(refusal(() => register({}, "", body))).toMatchObject({ status: 422, at });
	});

	test("that are missing are named", () => {
		expect(refusal(() => register({}, "", {})).detail).toBe("email: is required");
	});

	test("are read only from the body; api_key in the query does not reach the handler", () => {
		expect(register({}, "api_key=pk_secret", { email: "a@example.com" })).toEqual({ email: "a@example.com" });
		expect(refusal(() => register({}, "email=a@example.com", {}))).toMatchObject({
			status: 422,
			at: ["query.email", "body.email"],
			detail: "email: belongs in the body; email: is required",
		});
		expect(refusal(() => rotate({}, "x=1", {})).at).toEqual(["query.x"]);
	});
});
